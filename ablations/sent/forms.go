package sent

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/internal/linediff"
)

// form is a difference with the queries in which the same lines changed.
type form struct {
	Difference
	ids map[string]bool
}

// add adds the changes of one group. If several changes have the same changed lines, they are one difference.
// All changes that occur in only one query are together one difference, which has the lines of the first of
// them.
func (c *comparer) add(of group, changes map[change][]string) {
	shown := 0
	var single *Difference
	for _, f := range c.forms(of, changes) {
		f.Queries = len(f.ids)
		switch {
		case (f.Gone || f.New) && 2*f.Queries < c.out.Queries:
		case f.Queries == 1 && single != nil:
			single.Queries++
			single.Varied = true
		case f.Queries == 1:
			single = &f.Difference
		case shown < mostForms:
			shown++
			c.out.Differences = append(c.out.Differences, f.Difference)
		}
	}
	if single != nil {
		c.out.Differences = append(c.out.Differences, *single)
	}
}

// forms returns the differences of a group. Differences that occur in most queries come first.
func (c *comparer) forms(of group, changes map[change][]string) []*form {
	forms := map[string]*form{}
	for _, x := range slices.SortedFunc(maps.Keys(changes), func(a, b change) int {
		return cmp.Or(slices.Compare(changes[a], changes[b]), cmp.Compare(a.was, b.was), cmp.Compare(a.now, b.now))
	}) {
		d, key, differs := c.difference(of, x)
		if !differs {
			continue
		}
		if forms[key] == nil {
			d.Query = changes[x][0]
			forms[key] = &form{d, map[string]bool{}}
		}
		for _, id := range changes[x] {
			forms[key].ids[id] = true
		}
	}
	return slices.SortedFunc(maps.Values(forms), func(a, b *form) int {
		return cmp.Or(cmp.Compare(len(b.ids), len(a.ids)), cmp.Compare(a.Query, b.Query))
	})
}

// difference describes a change. key is equal for changes with the same changed lines. differs is false if the
// texts differ only in lines that differ from trace to trace.
func (c *comparer) difference(of group, x change) (d Difference, key string, differs bool) {
	d = Difference{Kind: of.kind, Name: of.name, Gone: x.now == "", New: x.was == "", Lines: []string{}}
	was, hasWas := c.was.Texts[x.was]
	now, hasNow := c.now.Texts[x.now]
	switch {
	case hasWas && hasNow && was == now && len(was) < maxText-maxRune:
		return d, "", false // another version of concur made the digest
	case of.kind == Parameter || of.kind == Model:
		if x.was != "" {
			d.Was = new(keptOr(was, hasWas))
		}
		if x.now != "" {
			d.Now = new(keptOr(now, hasNow))
		}
		return d, x.was + " " + x.now, true
	case of.kind == Tool && (d.Gone || d.New): // its name is enough
		return d, fmt.Sprint(d.Gone), true
	case !hasWas && x.was != "" || !hasNow && x.now != "":
		return d, "", true
	}
	lines := linesOf(was, now)
	var real, varying [2]int // changed lines of both sides
	for _, l := range lines {
		switch side := indexOf(l.Kind); {
		case l.Kind == linediff.Same:
			continue
		case l.Text == varyingLine:
			varying[side]++
		default:
			real[side]++
		}
		key += string(l.Kind) + l.Text + "\n"
	}
	// A run with one trace per query has the lines that vary in a run with several traces.
	if key != "" && (real[0] == 0 && real[1] <= varying[0] || real[1] == 0 && real[0] <= varying[1]) {
		return d, key, false
	}
	d.Lines, d.More = linediff.Unified(lines, aroundLines, mostLines)
	if d.Lines == nil {
		d.Lines = []string{}
	}
	return d, key, true
}

// noLineEnd is added to the last line of a text if this text does not end with a line end but the other text
// does.
const noLineEnd = " [no newline at the end]"

// linesOf returns the lines of two texts that differ. A final line end begins no line.
func linesOf(was, now string) []linediff.Line {
	texts := [2]string{was, now}
	for i, t := range texts {
		other := [2]string{now, was}[i]
		switch body, ends := strings.CutSuffix(t, "\n"); {
		case ends && body == "" && other == "": // one empty line; the other text has none
			return []linediff.Line{{Kind: [2]linediff.Kind{linediff.Removed, linediff.Added}[i]}}
		case ends:
			texts[i] = body
		case t != "" && strings.HasSuffix(other, "\n") && len(t) < maxText-maxRune && !strings.HasSuffix(t, varyingLine):
			texts[i] += noLineEnd
		}
	}
	return linediff.Lines(texts[0], texts[1])
}

// maxRune is the number of bytes that may be missing before the border of a text that was cut.
const maxRune = 8

// keptOr returns a value, or words for a value that was not kept.
func keptOr(value string, kept bool) string {
	if !kept {
		return "a value that was not kept"
	}
	return value
}

func indexOf(kind linediff.Kind) int {
	if kind == linediff.Removed {
		return 0
	}
	return 1
}
