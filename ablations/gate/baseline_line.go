package gate

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/seed-5817661a/concur/internal/strictyaml"
)

// line reads one line after the first. whole is false for a last line without its end.
func (p *parser) line(number int, line []byte, whole bool) {
	var head struct {
		Kind   *string `json:"kind"`
		Schema *string `json:"schema"`
	}
	switch err := json.Unmarshal(line, &head); {
	case !utf8.Valid(line):
		p.fail(number, "the line is not UTF-8: put the file back as it was committed")
	case err != nil && !whole && !json.Valid(line):
		p.fail(number, "the last line is cut off: put the file back as it was committed, or remove the lines of its run and add the run again with `concur baseline add RUN`")
	case err != nil:
		p.fail(number, "%v", describeLine(err))
	case head.Kind == nil && head.Schema != nil && *head.Schema == BaselineSchema: // the first line again, after a merge
	case head.Kind == nil:
		p.fail(number, "the line has no kind: it is no line of a baseline; remove it, or put the file back as it was committed")
	case *head.Kind == kindRun:
		p.run(number, line)
	case *head.Kind == kindQuery:
		p.query(number, line)
	case *head.Kind == kindReset:
		p.reset(number, line)
	default:
		p.fail(number, "kind %q: %s; where a newer concur wrote it, update concur", quoted(*head.Kind), strictyaml.Suggest(*head.Kind, []string{kindRun, kindQuery, kindReset}))
	}
}

func (p *parser) run(number int, line []byte) {
	l, ok := decodeLine(p, number, line, runLine.check)
	if !ok || !p.once(number, fmt.Sprintf("run %s and configuration %s", quoted(l.Run), quoted(l.Configuration)), subject{kind: kindRun, row: row{l.Run, l.Configuration}}, l) {
		return
	}
	l.Start, l.line = l.Start.UTC(), number
	p.runs[row{l.Run, l.Configuration}] = len(p.b.Runs)
	p.configurations[l.Run] = append(p.configurations[l.Run], l.Configuration)
	p.b.Runs = append(p.b.Runs, l.AcceptedRun)
}

func (p *parser) query(number int, line []byte) {
	if l, ok := decodeLine(p, number, line, queryLine.check); ok {
		p.unplaced = append(p.unplaced, unplaced{number, l})
	}
}

// place finds the configuration of queries. Lines of earlier versions do not name it: they
// are of the run's only one, and the same line with and without it is one line.
func (p *parser) place() {
	for _, l := range p.unplaced {
		if of := p.configurations[l.Run]; l.Configuration == "" && len(of) == 1 {
			l.Configuration = of[0]
		} else if l.Configuration == "" && len(of) > 1 {
			p.fail(l.line, "query %s of run %s does not say of which configuration it is, and the run has %s: put the line back as it was committed", quoted(l.Query), quoted(l.Run), listed(of))
			continue
		}
		at := row{l.Run, l.Configuration}
		if !p.once(l.line, fmt.Sprintf("query %s of %s", quoted(l.Query), p.named(at)), subject{kindQuery, at, l.Query}, l.queryLine) {
			continue
		}
		if len(p.queries[at]) == 0 {
			p.order = append(p.order, at)
		}
		p.queries[at] = append(p.queries[at], numbered{l.line, l.AcceptedQuery})
	}
}

// named is the name of a row, with the configuration where the run alone does not tell.
func (p *parser) named(r row) string {
	if of := p.configurations[r.run]; len(of) == 0 || len(of) == 1 && of[0] == r.configuration {
		return "run " + quoted(r.run)
	}
	return fmt.Sprintf("run %s, configuration %s,", quoted(r.run), quoted(r.configuration))
}

// reset takes any number of resets, also of one moment: each was somebody's word.
func (p *parser) reset(number int, line []byte) {
	l, ok := decodeLine(p, number, line, resetLine.check)
	if !ok {
		return
	}
	l.Reset = l.tidy()
	l.line = number
	whole, err := json.Marshal(l)
	if err != nil { // it was JSON a moment ago
		p.fail(number, "%v", err)
		return
	}
	if p.once(number, "a reset", subject{kind: kindReset, query: string(whole)}, l) {
		p.b.Resets = append(p.b.Resets, l.Reset)
	}
}

// once reports whether a line is the first about its subject. The same line again is what
// a merge of both sides leaves; another one about the same subject is an error.
func (p *parser) once(number int, about string, key subject, value any) bool {
	canonical, err := json.Marshal(value)
	if err != nil { // it was JSON a moment ago
		p.fail(number, "%v", err)
		return false
	}
	before, again := p.seen[key]
	switch {
	case !again:
		p.seen[key] = seenLine{number, string(canonical)}
		return true
	case before.canonical != string(canonical):
		p.fail(number, "line %d says something else of %s: keep the one that is right, or remove all lines of the run and add it again with `concur baseline add RUN`", before.line, about)
	}
	return false
}

// decodeLine reads a line of one kind and looks at its values.
func decodeLine[T any](p *parser, number int, line []byte, check func(T) error) (value T, ok bool) {
	err := decodeStrictly(line, &value)
	if err == nil {
		err = check(value)
	} else {
		err = describeLine(err)
	}
	if err != nil {
		p.fail(number, "%v", err)
	}
	return value, err == nil
}

// decodeStrictly takes one JSON value and no field that is not known: what it did not know
// would be lost when the file is written again.
func decodeStrictly(line []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(line))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("something follows the JSON object on its line: give it a line of its own")
	}
	return nil
}

// describeLine says what is wrong with a line in the words of its reader.
func describeLine(err error) error {
	const restore = "put the line back as it was committed"
	var syntax *json.SyntaxError
	var wrong *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		return fmt.Errorf("not a JSON object: %w at byte %d; %s", syntax, syntax.Offset, restore)
	case errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("not a JSON object: it has no end; %s", restore)
	case errors.As(err, &wrong) && wrong.Field == "":
		return fmt.Errorf("expected a JSON object, found a JSON %s; %s", wrong.Value, restore)
	case errors.As(err, &wrong):
		field := wrong.Field // with the name of the embedded type in front, which no line has
		for _, of := range []string{"AcceptedRun.", "AcceptedQuery.", "Reset."} {
			field = strings.TrimPrefix(field, of)
		}
		return fmt.Errorf("%s: a JSON %s does not fit there; %s", field, wrong.Value, restore)
	case strings.HasPrefix(err.Error(), "json: unknown field "):
		return fmt.Errorf("unknown field %s: where a newer concur wrote it, update concur; else %s", strings.TrimPrefix(err.Error(), "json: unknown field "), restore)
	}
	return fmt.Errorf("%w; %s", err, restore)
}
