package baseline

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"unicode/utf8"

	"github.com/seed-5817661a/concur/ablations/facts"
	"github.com/seed-5817661a/concur/internal/strictyaml"
)

// Read reads a baseline file. If the file is missing, the error wraps fs.ErrNotExist.
func Read(path string) (*Baseline, error) {
	raw, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read baseline: %w; begin one with `concur baseline add RUN`", err)
	}
	if err != nil {
		return nil, fmt.Errorf("read baseline: %w", err)
	}
	return Parse(path, raw)
}

// Parse reads the text of a baseline. file is its name in messages. The first line names the schema. The order
// of the other lines has no meaning. If a line occurs twice, as after a merge that keeps both sides, it counts
// once. The error is the first problem, as "file:line: message".
func Parse(file string, text []byte) (*Baseline, error) {
	p := parser{
		b: &Baseline{Facts: map[string]facts.Facts{}}, seen: map[string]string{}, questions: map[Question]Question{},
		lineOf: map[runKey]int{},
	}
	for raw := range bytes.Lines(bytes.TrimPrefix(text, []byte("\uFEFF"))) {
		p.number++
		if line := bytes.TrimSpace(raw); len(line) > 0 {
			if err := p.line(line); err != nil {
				return nil, &strictyaml.Error{File: file, Line: p.number, Message: err.Error()}
			}
		}
	}
	if !p.begun {
		return nil, &strictyaml.Error{File: file, Message: "is empty: restore the committed file, or remove it " +
			"and begin a new one with `concur baseline add RUN`"}
	}
	if err := p.join(); err != nil {
		return nil, &strictyaml.Error{File: file, Line: p.number, Message: err.Error()}
	}
	p.b.sort()
	return p.b, nil
}

type parser struct {
	b         *Baseline
	number    int                   // of the line
	begun     bool                  // whether the first line was read
	seen      map[string]string     // the content of a line, by its subject
	questions map[Question]Question // by name
	traces    []tracesLine
	lineOf    map[runKey]int
}

// runKey identifies one configuration of a run. The run of an ablation has several.
type runKey struct{ run, configuration string }

func (r runKey) String() string {
	return fmt.Sprintf("run %s, configuration %s", r.run, r.configuration)
}

const asCommitted = "restore the committed file, or remove the lines of the run and add it again with " +
	"`concur baseline add RUN`"

func (p *parser) line(line []byte) error {
	for _, mark := range []string{"<<<<<<<", "|||||||", "=======", ">>>>>>>"} { // no line of JSON begins like this
		if bytes.HasPrefix(line, []byte(mark)) {
			return errors.New("merge conflict: keep both sides (remove the lines that begin with <<<<<<<, |||||||, " +
				"======= and >>>>>>>) and run `concur baseline show`")
		}
	}
	var head struct{ Kind, Schema string }
	if err := json.Unmarshal(line, &head); p.begun && err != nil {
		return unreadable(err)
	}
	switch {
	case !p.begun:
		p.begun = true
		return checkSchema(head.Schema)
	case !utf8.Valid(line):
		return errors.New("the line is not UTF-8: " + asCommitted)
	case head.Kind == "" && head.Schema != "": // the first line again, after a merge
		return checkSchema(head.Schema)
	}
	switch head.Kind {
	case kindRun:
		l, first, err := decode(p, line, func(l *runLine) string { l.Start = l.Start.UTC(); return l.row().String() })
		if err == nil && (l.Run == "" || l.Configuration == "") {
			return errors.New("a run has no name or configuration: " + asCommitted)
		}
		if first {
			p.lineOf[l.row()] = p.number
			p.b.Runs = append(p.b.Runs, l.AcceptedRun)
		}
		return err
	case kindFacts:
		l, _, err := decode(p, line, func(l *factsLine) string { return "facts " + l.Key })
		p.b.Facts[l.Key] = l.Facts
		return err
	case kindQuestion:
		l, _, err := decode(p, line, func(l *questionLine) string { return "query " + l.Query + ", hash " + l.Hash })
		p.questions[l.name()] = l.Question
		return err
	case kindTraces:
		l, first, err := decode(p, line, func(l *tracesLine) string {
			l.Configuration, l.number = cmp.Or(l.Configuration, defaultConfiguration), p.number
			return "query " + l.Query + " of " + l.row().String()
		})
		if first {
			p.traces = append(p.traces, l)
		}
		return err
	case kindReset:
		l, first, err := decode(p, line, func(l *resetLine) string {
			l.Reset = l.tidy()
			return fmt.Sprintf("reset %+v",
				l.Reset)
		})
		if first {
			p.b.Resets = append(p.b.Resets, l.Reset)
		}
		return err
	}
	return fmt.Errorf("unknown kind %q: %s; if a newer concur wrote it, update concur, else %s", head.Kind,
		strictyaml.Suggest(head.Kind, []string{kindRun, kindTraces, kindQuestion, kindFacts, kindReset}), asCommitted)
}

func checkSchema(schema string) error {
	switch {
	case schema == Schema:
		return nil
	case strings.HasPrefix(schema, "concur/baseline/"):
		return fmt.Errorf("its schema is %q, and this concur reads %s: update concur, or begin a new file with "+
			"`concur baseline add RUN`", schema, Schema)
	}
	return fmt.Errorf("expected {\"schema\":%q} on the first line, found %q: this is not a baseline, or its "+
		"first line was lost", Schema, schema)
}

// decode reads a line. An unknown field is an error, because it would be lost when the file is written again.
// first is false if the same line was already read. If a different line has the same subject, this is an error.
func decode[L any](p *parser, line []byte, subject func(*L) string) (l L, first bool, err error) {
	d := json.NewDecoder(bytes.NewReader(line))
	d.DisallowUnknownFields()
	if err := d.Decode(&l); err != nil {
		return l, false, unreadable(err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return l, false, unreadable(errors.New("there is text after the JSON object"))
	}
	about := subject(&l)
	raw, err := json.Marshal(l)
	if err != nil {
		return l, false, err
	}
	before, again := p.seen[about]
	if again && before != string(raw) {
		return l, false, fmt.Errorf("another line about %s differs: keep the right one, or %s",
			about, asCommitted)
	}
	p.seen[about] = string(raw)
	return l, !again, nil
}

func unreadable(err error) error {
	return fmt.Errorf("the line cannot be read: %w; if a newer concur wrote it, update concur, else %s",
		err, asCommitted)
}

// join assigns queries to their runs, and reports lines that are missing. p.number is the line that the error
// names.
func (p *parser) join() error {
	at := map[runKey]int{}
	for i, r := range p.b.Runs {
		at[r.row()] = i
	}
	for _, l := range p.traces {
		p.number = l.number
		i, known := at[l.row()]
		if !known {
			return fmt.Errorf("%s has no line of its own: %s", l.row(), asCommitted)
		}
		q, known := p.questions[l.name()]
		if !known {
			return fmt.Errorf("the line with the question of query %s, hash %s, is missing: %s", l.Query, l.Hash,
				asCommitted)
		}
		traces := 0
		for _, t := range l.Traces {
			traces += max(1, t.Times)
		}
		r := &p.b.Runs[i]
		if want := r.K * len(r.Passes); traces != want {
			return fmt.Errorf("query %s of %s has %d traces, and %d passes with k=%d make %d: %s", l.Query, r.row(),
				traces, len(r.Passes), r.K, want, asCommitted)
		}
		r.Queries = append(r.Queries, AcceptedQuery{q, unpacked(l.Traces)})
	}
	for _, r := range p.b.Runs {
		if have := len(r.Queries); have != r.Dataset.Queries {
			p.number = p.lineOf[r.row()]
			return fmt.Errorf("%s has lines of %d queries, and was over %d: %s", r.row(), have,
				r.Dataset.Queries, asCommitted)
		}
	}
	return nil
}

func (r AcceptedRun) row() runKey { return runKey{r.Run, r.Configuration} }

func (l tracesLine) row() runKey { return runKey{l.Run, l.Configuration} }
