package playbook

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-5817661a/concur/internal/lazy"
)

// Line returns a bullet in ACE's form: [str-00001] helpful=5 harmful=0 :: text.
func (b Bullet) Line() string {
	return fmt.Sprintf("[%s] helpful=%d harmful=%d :: %s", b.ID, b.Helpful, b.Harmful, b.advice())
}

// advice returns the text, with its sequence of tools, on one line.
func (b Bullet) advice() string {
	s := strings.Join(strings.Fields(b.Text), " ")
	if len(b.Tools) > 0 {
		s += toolsMark + strings.Join(b.Tools, arrow) + ")"
	}
	return s
}

// toolsMark and arrow write a sequence of tools after a text: " (tools: a → b)".
const (
	toolsMark = " (tools: "
	arrow     = " → "
)

// WriteACE writes the book in ACE's text form: a heading per section, a line per bullet. It omits origins,
// rates and states, which the form does not have.
func (b *Book) WriteACE(w io.Writer) error {
	out := bufio.NewWriter(w)
	for i, section := range b.Sections {
		if i > 0 {
			fmt.Fprintln(out)
		}
		fmt.Fprintf(out, "## %s\n", strings.ToUpper(strings.ReplaceAll(section, "_", " ")))
		for _, x := range b.Bullets {
			if x.Section == section {
				fmt.Fprintln(out, x.Line())
			}
		}
	}
	return out.Flush()
}

var aceLine = lazy.Compile(`^\[([a-z]{3}-[0-9]{5,})\] helpful=([0-9]+) harmful=([0-9]+) :: (.+)$`)

// readACE reads the text form. Each heading is a section. A line that is neither heading nor bullet is an error
// with its line number.
func readACE(file string, data []byte) (*Book, error) {
	b := &Book{Schema: Schema, Sections: []string{}, Next: 1}
	section := ""
	for n, line := range strings.Split(string(data), "\n") {
		line = strings.TrimSpace(line)
		if heading, ok := strings.CutPrefix(line, "## "); ok {
			section = strings.NewReplacer(" & ", "_and_", " ", "_").Replace(strings.ToLower(strings.TrimSpace(heading)))
			if !slices.Contains(b.Sections, section) {
				b.Sections = append(b.Sections, section)
			}
			continue
		}
		if line == "" {
			continue
		}
		m := aceLine.FindStringSubmatch(line)
		if m == nil || section == "" {
			return nil, fmt.Errorf("%s:%d: the line is not a bullet of a section: write `## SECTION` above, and "+
				"`[str-00001] helpful=0 harmful=0 :: text`", file, n+1)
		}
		x := Bullet{ID: m[1], Section: section, Text: m[4]}
		if text, tools, ok := strings.Cut(m[4], toolsMark); ok && strings.HasSuffix(tools, ")") {
			x.Text, x.Tools = text, strings.Split(strings.TrimSuffix(tools, ")"), arrow)
		}
		var wrong error
		if x.Helpful, wrong = strconv.Atoi(m[2]); wrong == nil {
			x.Harmful, wrong = strconv.Atoi(m[3])
		}
		if wrong != nil {
			return nil, fmt.Errorf("%s:%d: a count is too large: %w", file, n+1, wrong)
		}
		b.Bullets = append(b.Bullets, x)
		b.Next = max(b.Next, number(x.ID)+1)
	}
	return b, nil
}
