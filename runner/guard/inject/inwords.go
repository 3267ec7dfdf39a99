package inject

import "sync"

// The automaton sees a text in words: letters and digits as they are, and one gap for
// whatever stands between two words, before the first and after the last. Where ASCII
// meets other letters there is a gap too, as there an expression sees the border of a
// word. So a literal can hold several words, whatever stands between them.

// gapMark stands for a gap in a literal.
const gapMark = "\x00"

const (
	gapKind = iota
	asciiKind
	foreignKind
)

// The classes of bytes: 0 for a gap, then letters and digits, and behind them other
// bytes by their last bits. That takes some foreign letters for others and keeps the
// table small; the expressions tell them apart.
const (
	firstDigit   = 1 + 26
	firstForeign = firstDigit + 10
	foreignBits  = 0x0F
	byteClasses  = firstForeign + foreignBits + 1
)

type byteFacts struct{ class, kind uint8 }

var factsOfBytes = sync.OnceValue(func() *[256]byteFacts {
	var table [256]byteFacts
	for b := range table {
		table[b] = byteFacts{classOf(byte(b)), kindOf(byte(b))}
	}
	return &table
})

func classOf(b byte) uint8 {
	switch {
	case b >= 0x80:
		return firstForeign + b&foreignBits
	case b|0x20 >= 'a' && b|0x20 <= 'z':
		return 1 + (b | 0x20) - 'a'
	case b >= '0' && b <= '9':
		return firstDigit + b - '0'
	}
	return 0
}

func kindOf(b byte) uint8 {
	switch class := classOf(b); {
	case class == 0:
		return gapKind
	case class < firstForeign:
		return asciiKind
	}
	return foreignKind
}

// inWords writes a literal as the automaton sees texts.
func inWords(literal string) string {
	out := make([]byte, 0, len(literal))
	last := -1
	for i := range len(literal) {
		kind := int(kindOf(literal[i]))
		if kind != last && (kind == gapKind || last > gapKind) {
			out = append(out, gapMark...)
		}
		if kind != gapKind {
			out = append(out, literal[i])
		}
		last = kind
	}
	return string(out)
}
