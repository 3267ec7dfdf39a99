package linediff

import "strings"

// Kind is the kind of a line of a difference: the character before it in a unified diff.
type Kind byte

// The kinds of lines.
const (
	Same    Kind = ' '
	Removed Kind = '-'
	Added   Kind = '+'
)

// Line is one line of two compared texts.
type Line struct {
	Kind Kind
	Text string
}

// mostEdits limits the removed and added lines that are searched for the shortest difference. Texts that differ
// in more lines are shown as one removed and one added block.
const mostEdits = 400

// Lines returns all lines of both texts with their kinds. The result is the shortest difference, if this has at
// most 400 removed and added lines. Time and memory are bounded. The source of the algorithm is E. Myers, "An
// O(ND) Difference Algorithm and Its Variations", Algorithmica 1 (1986).
func Lines(was, now string) []Line {
	a, b := split(was), split(now)
	var out []Line
	add := func(kind Kind, lines []string) {
		for _, text := range lines {
			out = append(out, Line{kind, text})
		}
	}
	start := Common(a, b)
	add(Same, a[:start])
	a, b = a[start:], b[start:]
	end := 0
	for end < min(len(a), len(b)) && a[len(a)-1-end] == b[len(b)-1-end] {
		end++
	}
	tail := a[len(a)-end:]
	a, b = a[:len(a)-end], b[:len(b)-end]
	if steps, found := shortest(a, b); found {
		out = append(out, steps...)
	} else {
		add(Removed, a)
		add(Added, b)
	}
	add(Same, tail)
	return out
}

func split(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(text, "\n")
}

// Common returns the number of equal elements at the beginning of two lists.
func Common[T comparable](a, b []T) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

// shortest returns the shortest difference of two lists of lines. found is false if it has more than mostEdits
// removed and added lines.
func shortest(a, b []string) (out []Line, found bool) {
	// reach[d][k+d] is the largest number of lines of a that can be passed with d edits on the diagonal k. At a
	// point of diagonal k, k is the number of passed lines of a minus the number of passed lines of b.
	var reach [][]int
	for d := range min(len(a)+len(b), mostEdits) + 1 {
		row := make([]int, 2*d+1)
		for k := -d; k <= d; k += 2 {
			x := 0
			if d > 0 {
				x, _ = before(reach[d-1], d, k)
			}
			for x < len(a) && x-k < len(b) && x-k >= 0 && a[x] == b[x-k] {
				x++
			}
			row[k+d] = x
			if x == len(a) && x-k == len(b) {
				return trackBack(a, b, append(reach, row), d), true
			}
		}
		reach = append(reach, row)
	}
	return nil, false
}

// before returns the line of a at which edit d begins on the diagonal k, and the diagonal from which it comes:
// k+1 if it adds a line of b, k-1 if it removes a line of a. last has the lines that d-1 edits reach.
func before(last []int, d, k int) (x, from int) {
	at := func(k int) int { return last[k+d-1] }
	if k == -d || k != d && at(k-1) < at(k+1) {
		return at(k + 1), k + 1
	}
	return at(k-1) + 1, k - 1
}

// trackBack returns the lines of the difference with d edits, removed lines before added ones.
func trackBack(a, b []string, reach [][]int, d int) []Line {
	var back []Line
	x, y := len(a), len(b)
	for ; d >= 0; d-- {
		k := x - y
		begin, from := 0, k
		if d > 0 {
			begin, from = before(reach[d-1], d, k)
		}
		for x > begin && y > 0 && x > 0 && a[x-1] == b[y-1] {
			x, y = x-1, y-1
			back = append(back, Line{Same, a[x]})
		}
		switch {
		case d == 0:
		case from == k+1:
			y--
			back = append(back, Line{Added, b[y]})
		default:
			x--
			back = append(back, Line{Removed, a[x]})
		}
	}
	out := make([]Line, 0, len(back))
	var added []Line // of the present block
	for i := len(back) - 1; i >= 0; i-- {
		switch l := back[i]; l.Kind {
		case Added:
			added = append(added, l)
		case Removed:
			out = append(out, l)
		default:
			out = append(append(out, added...), l)
			added = nil
		}
	}
	return append(out, added...)
}
