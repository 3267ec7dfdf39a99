package baseline

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
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
	case head.Kind == nil && head.Schema != nil && (*head.Schema == Schema || *head.Schema == SchemaV1): // the first line again, after a merge
	case head.Kind == nil:
		p.fail(number, "the line has no kind: it is no line of a baseline; remove it, or put the file back as it was committed")
	case *head.Kind == kindRun:
		p.run(number, line)
	case *head.Kind == kindFacts:
		p.facts(number, line)
	case *head.Kind == kindQuestion:
		p.question(number, line)
	case *head.Kind == kindTraces:
		if l, ok := decodeLine(p, number, line, func(tracesLine) error { return nil }); ok {
			p.unplaced = append(p.unplaced, unplaced{number, l})
		}
	case *head.Kind == kindQuery:
		p.queryV1(number, line)
	case *head.Kind == kindReset:
		p.reset(number, line)
	default:
		p.fail(number, "kind %q: %s; where a newer concur wrote it, update concur", quoted(*head.Kind), strictyaml.Suggest(*head.Kind, []string{kindRun, kindTraces, kindQuestion, kindFacts, kindReset}))
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

func (p *parser) facts(number int, line []byte) {
	l, ok := decodeLine(p, number, line, func(factsLine) error { return nil })
	if ok {
		p.b.Facts[l.Key] = l.Facts
	}
}

func (p *parser) question(number int, line []byte) {
	l, ok := decodeLine(p, number, line, func(l questionLine) error { return l.check() })
	if ok && p.once(number, "query "+quoted(l.Query), subject{kind: kindQuestion, query: l.Query + " " + l.Hash}, l) {
		p.questions[questionKey{l.Query, l.Hash}] = l.Question
	}
}

// queryV1 takes a line of SchemaV1, which says question and traces at once.
func (p *parser) queryV1(number int, line []byte) {
	l, ok := decodeLine(p, number, line, func(l queryLineV1) error { return l.check() })
	if !ok {
		return
	}
	p.questions[questionKey{l.Query, l.Hash}] = l.Question
	p.unplaced = append(p.unplaced, unplaced{number, tracesLine{Run: l.Run, Configuration: l.Configuration, Query: l.Query, Hash: l.Hash, Traces: packed(l.Traces)}})
}

// place finds the configuration of traces and what their query was. Lines of runs that are of
// one configuration need not name it, and the same line with and without it is one line.
func (p *parser) place() {
	for _, l := range p.unplaced {
		of := p.configurations[l.Run]
		switch {
		case l.Configuration != "":
		case len(of) == 1:
			l.Configuration = of[0]
		case slices.Contains(of, defaultConfiguration):
			l.Configuration = defaultConfiguration
		case len(of) > 1:
			p.fail(l.line, "query %s of run %s does not say of which configuration it is, and the run has %s: %s", quoted(l.Query), quoted(l.Run), listed(of), asCommitted)
			continue
		}
		at := row{l.Run, l.Configuration}
		q, known := p.questions[questionKey{l.Query, l.Hash}]
		if !known {
			p.fail(l.line, "query %s of %s has no line that says what it asked (hash %s): put the file back as it was committed, or remove the run's lines and add it again with `concur baseline add RUN`", quoted(l.Query), p.named(at), quoted(l.Hash))
			continue
		}
		l.Kind = kindTraces
		if !p.once(l.line, fmt.Sprintf("query %s of %s", quoted(l.Query), p.named(at)), subject{kindTraces, at, l.Query}, l.tracesLine) {
			continue
		}
		if len(p.queries[at]) == 0 {
			p.order = append(p.order, at)
		}
		a := AcceptedQuery{Question: q, Traces: unpacked(l.Traces)}
		if err := a.check(); err != nil {
			p.fail(l.line, "%v", err)
			continue
		}
		p.queries[at] = append(p.queries[at], numbered{l.line, a})
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

// describeLine says what is wrong with a line. Nobody but a merge or an editor breaks one.
func describeLine(err error) error {
	return fmt.Errorf("the line cannot be read: %w; where a newer concur wrote it, update concur, else %s", err, asCommitted)
}
