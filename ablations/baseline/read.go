package baseline

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/seed-5817661a/concur/ablations/facts"
	"github.com/seed-5817661a/concur/internal/strictyaml"
)

// Read reads a baseline file. A file that is not there is an error that wraps
// fs.ErrNotExist.
func Read(path string) (*Baseline, error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read baseline: %w; begin one with `concur baseline add RUN`", err)
	}
	if err == nil && !info.Mode().IsRegular() { // one that nobody writes to would be read for ever
		return nil, fmt.Errorf("read baseline: %s is no regular file but %s: name the file", path, kindOf(info.Mode()))
	}
	var raw []byte
	if err == nil {
		raw, err = os.ReadFile(path)
	}
	if err != nil {
		return nil, fmt.Errorf("read baseline: %w", err)
	}
	return Parse(path, raw)
}

// kindOf names what is no regular file.
func kindOf(m fs.FileMode) string {
	switch {
	case m.IsDir():
		return "a folder"
	case m&fs.ModeNamedPipe != 0:
		return "a pipe"
	case m&fs.ModeSocket != 0:
		return "a socket"
	}
	return "a device"
}

// Parse reads the text of a baseline; file is its name in messages. The first line
// names the schema; the order of the others is of no matter, and a line that stands there
// twice, as it may after a merge of both sides, counts once. The error lists what is wrong,
// one "file:line: message" per line, at most twenty of them.
func Parse(file string, text []byte) (*Baseline, error) {
	p := &parser{file: file, b: &Baseline{file: file, Facts: map[string]facts.Facts{}}, questions: map[questionKey]Question{}, seen: map[subject]seenLine{}, runs: map[row]int{}, configurations: map[string][]string{}, queries: map[row][]numbered{}}
	if len(bytes.TrimSpace(text)) == 0 {
		p.fail(0, "is empty: put it back as it was committed, or remove it and begin a new one with `concur baseline add RUN`")
		return nil, p.err()
	}
	if line, ok := conflict(text); ok {
		p.fail(line, "merge conflict: keep both sides (remove the lines that begin with <<<<<<<, |||||||, ======= and >>>>>>>) and run `concur baseline show`")
		return nil, p.err()
	}
	p.text(text)
	p.place()
	if len(p.errs) == 0 {
		p.join()
	}
	if err := p.err(); err != nil {
		return nil, err
	}
	p.b.sort()
	return p.b, nil
}

// parser collects lines and what is wrong with them.
type parser struct {
	file           string
	b              *Baseline
	seen           map[subject]seenLine
	runs           map[row]int         // index of the run in b.Runs
	configurations map[string][]string // by run
	questions      map[questionKey]Question
	unplaced       []unplaced // lines of queries, as they stand
	queries        map[row][]numbered
	order          []row // of queries, as they first occur
	errs           strictyaml.Errors
}

// row is a configuration of a run: what a run of an ablation has several of.
type row struct{ run, configuration string }

// subject is what one line may say something of.
type subject struct {
	kind string
	row
	query string
}

// seenLine is a line in the form in which it would be written.
type seenLine struct {
	line      int
	canonical string
}

type unplaced struct {
	line int
	tracesLine
}

// questionKey names what a run was asked.
type questionKey struct{ query, hash string }

type numbered struct {
	line int
	AcceptedQuery
}

const (
	mostErrors     = 20
	longestMessage = 1000     // runes
	longestLine    = 16 << 20 // bytes
)

// fail notes what is wrong, on one line whatever the file says.
func (p *parser) fail(line int, format string, args ...any) {
	message := oneLine(fmt.Sprintf(format, args...))
	if r := []rune(message); len(r) > longestMessage {
		message = string(r[:longestMessage]) + "…"
	}
	p.errs = append(p.errs, &strictyaml.Error{File: p.file, Line: line, Message: message})
}

// err gives the first of what is wrong, in the order of the lines, and how much more is.
func (p *parser) err() error {
	var sorted strictyaml.Errors
	if !errors.As(p.errs.Err(), &sorted) {
		return nil
	}
	if more := len(sorted) - mostErrors; more > 0 {
		last := &strictyaml.Error{File: p.file, Message: fmt.Sprintf("and %d more", more)}
		sorted = append(sorted[:mostErrors:mostErrors], last)
	}
	return sorted
}

// conflict finds the first mark that a merge left behind. No line of JSON begins so.
func conflict(text []byte) (line int, ok bool) {
	for l := range bytes.Lines(text) {
		line++
		for _, mark := range []string{"<<<<<<<", "|||||||", "=======", ">>>>>>>"} {
			if bytes.HasPrefix(l, []byte(mark)) {
				return line, true
			}
		}
	}
	return 0, false
}

func (p *parser) text(text []byte) {
	const byteOrderMark = "\uFEFF"
	text = bytes.TrimPrefix(text, []byte(byteOrderMark))
	number, first := 0, true
	for raw := range bytes.Lines(text) {
		number++
		l := bytes.TrimSpace(raw)
		if len(l) == 0 {
			continue
		}
		if len(l) > longestLine {
			p.fail(number, "the line has %d bytes, and none may have more than %d: put the file back as it was committed", len(l), longestLine)
			first = false
			continue
		}
		if first && !p.header(number, l) {
			return // nothing that follows can be relied on
		}
		if !first {
			p.line(number, l, raw[len(raw)-1] == '\n')
		}
		first = false
	}
}

// header reads the first line.
func (p *parser) header(number int, line []byte) bool {
	var h struct {
		Schema *string `json:"schema"`
	}
	switch err := decodeStrictly(line, &h); {
	case err != nil || h.Schema == nil:
		p.fail(number, "expected the line {\"schema\":%q} first: this is no baseline file, or its first line was lost", Schema)
	case *h.Schema == Schema, *h.Schema == SchemaV1:
		return true
	case strings.HasPrefix(*h.Schema, "concur/baseline/"):
		p.fail(number, "its schema is %q, and this concur reads %s and older ones: update concur", quoted(*h.Schema), Schema)
	default:
		p.fail(number, "its schema is %q, and a baseline's is %s: this is another file", quoted(*h.Schema), Schema)
	}
	return false
}
