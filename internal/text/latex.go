package text

import (
	_ "embed"
	"slices"
	"strings"
	"unicode"
)

//go:embed latex.tsv
var latexTable string

var latexCommands = table(&latexTable, "")

// plainLaTeX rewrites simple formulas: \frac{3}{4} becomes (3/4), or +(3/4) after a digit; {,} and \, between digits
// become separators of groups; \text{km} is km. What it does not know stays as written.
func plainLaTeX(pieces []piece) []piece {
	if !slices.ContainsFunc(pieces, func(p piece) bool { return p.r == '\\' || p.r == '{' }) {
		return pieces
	}
	x := latex{in: pieces, partner: bracePartners(pieces), out: make([]piece, 0, len(pieces))}
	for x.at < len(pieces) {
		x.step()
	}
	return x.out
}

type latex struct {
	in      []piece
	partner []int // of an opening brace: where it closes; -1 elsewhere
	at      int
	out     []piece
}

func bracePartners(pieces []piece) []int {
	partner := make([]int, len(pieces))
	var open []int
	for i, p := range pieces {
		partner[i] = -1
		switch p.r {
		case '{':
			open = append(open, i)
		case '}':
			if n := len(open); n > 0 {
				partner[open[n-1]] = i
				open = open[:n-1]
			}
		}
	}
	return partner
}

func (x *latex) write(s string) {
	for _, r := range s {
		x.out = append(x.out, piece{r, x.in[x.at].from, x.in[x.at].to})
	}
}

func (x *latex) step() {
	p := x.in[x.at]
	switch {
	case p.r == '{' && x.is(1, ',') && x.is(2, '}') && x.digitBefore() && x.digit(3):
		x.write(",")
		x.at += 3
	case p.r == '\\' && (x.is(1, ',') || x.is(1, '!') || x.is(1, ';') || x.is(1, ' ')):
		if x.digitBefore() && x.digit(2) {
			x.write("_")
		} else {
			x.write(" ")
		}
		x.at += 2
	case p.r == '\\':
		x.command()
	default:
		x.out = append(x.out, p)
		x.at++
	}
}

func (x *latex) is(ahead int, r rune) bool { return x.at+ahead < len(x.in) && x.in[x.at+ahead].r == r }

func (x *latex) digit(ahead int) bool {
	return x.at+ahead < len(x.in) && unicode.Is(unicode.Nd, x.in[x.at+ahead].r)
}

func (x *latex) digitBefore() bool {
	return len(x.out) > 0 && unicode.Is(unicode.Nd, x.out[len(x.out)-1].r)
}

// command rewrites the command that starts here.
func (x *latex) command() {
	end := x.at + 1
	for end < len(x.in) && (x.in[end].r >= 'a' && x.in[end].r <= 'z' || x.in[end].r >= 'A' && x.in[end].r <= 'Z') {
		end++
	}
	if end == x.at+1 && end < len(x.in) {
		end++ // a sign: \% or \$
	}
	name := make([]rune, 0, end-x.at)
	for _, p := range x.in[x.at:end] {
		name = append(name, p.r)
	}
	switch command := string(name); command {
	case `\frac`, `\dfrac`, `\tfrac`:
		if x.fraction(end) {
			return
		}
	case `\text`, `\mathrm`, `\textbf`, `\mathbf`, `\textrm`, `\boxed`, `\fbox`:
		if end < len(x.in) && x.in[end].r == '{' && x.partner[end] > end {
			closing := x.partner[end]
			inner := plainLaTeX(x.in[end+1 : closing])
			x.out = append(x.out, inner...)
			x.at = closing + 1
			return
		}
	default:
		if says, ok := latexCommands()[command]; ok {
			x.write(says)
			x.at = end
			return
		}
	}
	x.out = append(x.out, x.in[x.at:end]...)
	x.at = end
}

// fraction rewrites {p}{q} at i, both of them digits.
func (x *latex) fraction(i int) bool {
	var parts [2]string
	for n := range parts {
		if i >= len(x.in) || x.in[i].r != '{' || x.partner[i] < 0 {
			return false
		}
		var b strings.Builder
		for _, p := range x.in[i+1 : x.partner[i]] {
			if !unicode.Is(unicode.Nd, p.r) {
				return false
			}
			b.WriteRune(p.r)
		}
		if b.Len() == 0 {
			return false
		}
		parts[n], i = b.String(), x.partner[i]+1
	}
	sign := ""
	if x.digitBefore() {
		sign = "+"
	}
	x.write(sign + "(" + parts[0] + "/" + parts[1] + ")")
	x.out[len(x.out)-1].to = x.in[i-1].to
	x.at = i
	return true
}
