package text

import (
	_ "embed"
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/seed-5817661a/concur/internal/lazy"
)

//go:embed latex.tsv
var latexTable string

var latexCommands = table(&latexTable, "")

// Expressions for parts of a formula: a comma in braces or a small gap, which may separate groups of digits; a
// fraction of whole numbers; a command that only formats its text; any command.
var (
	latexGap      = lazy.Compile(`^(?:\{,\}|\\[,!; ])`)
	latexFraction = lazy.Compile(`^\\[dt]?frac\{([0-9]+)\}\{([0-9]+)\}`)
	latexLook     = lazy.Compile(`^\\(?:text|mathrm|textbf|mathbf|textrm|boxed|fbox)\{`)
	latexCommand  = lazy.Compile(`^(?s:\\(?:[a-zA-Z]+|.))`)
)

// plainLaTeX rewrites simple formulas: \frac{3}{4} becomes (3/4), or +(3/4) after a digit; {,} and \, between
// digits become group separators; \text{km} becomes km. Unknown parts stay as written.
//
// After a backslash, all white space that folds to a space is read as a space, because a folded text must not
// change when it is folded again.
func plainLaTeX(pieces []piece, f Form) []piece {
	if !slices.ContainsFunc(pieces, func(p piece) bool { return p.r == '\\' || p.r == '{' }) {
		return pieces
	}
	ascii := make([]byte, len(pieces))
	for i, p := range pieces {
		switch {
		case unicode.IsSpace(p.r) && spaceFor(p.r, f) == ' ':
			ascii[i] = ' '
		case p.r < utf8.RuneSelf:
			ascii[i] = byte(p.r)
		}
	}
	x := latex{in: pieces, ascii: string(ascii), out: make([]piece, 0, len(pieces))}
	x.partner = Partners(x.ascii, "{}")
	for x.at < len(pieces) {
		x.step()
	}
	return x.out
}

type latex struct {
	in      []piece
	ascii   string // one byte for each piece, 0 for a rune outside ASCII
	partner []int  // index of the partner of each brace
	at      int
	out     []piece
}

// dropped marks a brace whose partner was removed.
const dropped = -2

func (x *latex) step() {
	switch c := x.ascii[x.at]; {
	case c == '}' && x.partner[x.at] == dropped:
		x.at++
		return
	case c != '\\' && c != '{':
		x.keep(1)
		return
	}
	rest := x.ascii[x.at:]
	gap, fraction := latexGap.FindString(rest), latexFraction.FindStringSubmatch(rest)
	command := latexCommand.FindString(rest)
	look := x.at + len(latexLook.FindString(rest)) // after its brace
	next := x.at + len(gap)
	afterDigit := len(x.out) > 0 && unicode.Is(unicode.Nd, x.out[len(x.out)-1].r)
	between := afterDigit && next < len(x.in) && unicode.Is(unicode.Nd, x.in[next].r)
	says, known := latexCommands()[command]
	switch {
	case gap == "{,}" && between:
		x.write(",", len(gap))
	case gap != "" && gap != "{,}" && between:
		x.write("_", len(gap))
	case gap != "" && gap != "{,}":
		x.write(" ", len(gap))
	case fraction != nil && afterDigit:
		x.write("+("+fraction[1]+"/"+fraction[2]+")", len(fraction[0]))
	case fraction != nil:
		x.write("("+fraction[1]+"/"+fraction[2]+")", len(fraction[0]))
	case look > x.at && x.partner[look-1] > 0:
		x.partner[x.partner[look-1]] = dropped
		x.at = look
	case known:
		x.write(says, len(command))
	default:
		x.keep(max(1, len(command)))
	}
}

// keep copies the next n pieces; write replaces them with s.
func (x *latex) keep(n int) {
	x.out = append(x.out, x.in[x.at:x.at+n]...)
	x.at += n
}

func (x *latex) write(s string, n int) {
	for _, r := range s {
		x.out = append(x.out, piece{r, x.in[x.at].from, x.in[x.at+n-1].to})
	}
	x.at += n
}
