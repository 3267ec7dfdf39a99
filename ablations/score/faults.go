package score

import (
	"fmt"
	"strings"

	"github.com/seed-5817661a/concur/internal/text"
)

// maxNamed is the maximum number of lines that an error or a warning lists.
const maxNamed = 20

// Fault is a line that cannot be scored.
type Fault struct {
	Line   int    `json:"line"`
	Reason string `json:"reason"` // the fact and one action
}

// Faults lists the lines of a file that cannot be scored.
type Faults struct {
	File  string  `json:"-"`
	Lines int     `json:"lines"` // number of lines
	First []Fault `json:"first"` // at most 20

	last int
}

// add counts a line once, with the last fault found in it. If a file ends too early, the last fault is the
// cause of the earlier ones.
func (f *Faults) add(number int, reason string) {
	if number == f.last {
		if f.Lines <= len(f.First) {
			f.First[len(f.First)-1].Reason = reason
		}
		return
	}
	f.last = number
	f.Lines++
	if len(f.First) < maxNamed {
		f.First = append(f.First, Fault{number, reason})
	}
}

// Error lists the first faults, one per line, each with its place.
func (f *Faults) Error() string {
	var b strings.Builder
	for _, named := range f.Named() {
		b.WriteString(named + "\n")
	}
	fmt.Fprintf(&b, "%s: %s cannot be scored; correct them, or omit them with --partial", f.File,
		text.Counted(f.Lines, "line"))
	return b.String()
}

// Named returns the first faults with their places, and the number of the remaining faults.
func (f *Faults) Named() []string {
	var out []string
	for _, fault := range f.First {
		out = append(out, fmt.Sprintf("%s:%d: %s", f.File, fault.Line, fault.Reason))
	}
	if more := f.Lines - len(f.First); more > 0 {
		out = append(out, fmt.Sprintf("%s: and %s more", f.File, text.Counted(more, "line")))
	}
	return out
}

// places counts the lines of a warning, and keeps the numbers of the first lines.
type places struct {
	count int
	first []int // at most mostPlaces
}

// mostPlaces is the maximum number of lines that a warning lists.
const mostPlaces = 5

func (p *places) add(line int) {
	p.count++
	if len(p.first) < mostPlaces {
		p.first = append(p.first, line)
	}
}

func (p *places) String() string {
	if p.count == 1 {
		return fmt.Sprint("line ", p.first[0])
	}
	list := "lines " + text.ListedUpTo(mostPlaces, p.first)
	if more := p.count - len(p.first); more > 0 {
		list += fmt.Sprintf(" and %d more", more)
	}
	return list
}
