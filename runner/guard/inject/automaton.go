package inject

import "sync"

// automaton finds all of many literals in one pass over a text (Aho and Corasick
// 1975), as a table of states by classes of bytes. Each literal has a signature; the
// pass gives the union of the signatures of those found.
//
// It reads a text in words: letters and digits as they are, and one gap for
// whatever stands between two words, before the first and after the last. Where ASCII
// meets other letters there is a gap too, as there an expression sees the border of a
// word. So a literal can hold several words, whatever stands between them.
type automaton struct {
	next  []uint16 // state × class to state
	found []uint16 // state to the index in signs of what ends there, 0 for nothing
	signs []signature
}

// maxStates is what a state's number can tell apart.
const maxStates = 1 << 16

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
	for i := range table {
		switch b := byte(i); {
		case b >= 0x80:
			table[b] = byteFacts{firstForeign + b&foreignBits, foreignKind}
		case b|0x20 >= 'a' && b|0x20 <= 'z':
			table[b] = byteFacts{1 + (b | 0x20) - 'a', asciiKind}
		case b >= '0' && b <= '9':
			table[b] = byteFacts{firstDigit + b - '0', asciiKind}
		}
	}
	return &table
})

// inWords writes a literal as the automaton reads texts.
func inWords(literal string) string {
	out := make([]byte, 0, len(literal))
	last := -1
	for i := range len(literal) {
		kind := int(factsOfBytes()[literal[i]].kind)
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

// signature is a set of small numbers.
type signature [8]uint64

const maxSignature = len(signature{}) * 64

func (s *signature) add(n int) { s[n/64] |= 1 << (n % 64) }

func (s *signature) merge(t *signature) {
	for i := range s {
		s[i] |= t[i]
	}
}

// covers reports whether s holds all of t.
func (s *signature) covers(t *signature) bool {
	var missing uint64
	for i := range s {
		missing |= t[i] &^ s[i]
	}
	return missing == 0
}

// newAutomaton builds the automaton of literals. There must not be more than maxStates
// letters in all of them; a test holds the table to that.
func newAutomaton(literals map[string]signature) *automaton {
	a := &automaton{signs: make([]signature, 1), next: make([]uint16, byteClasses)}
	signs := make([]signature, 1) // of the states
	for literal, sign := range literals {
		state := 0
		for i := range len(literal) {
			edge := &a.next[state*byteClasses+int(factsOfBytes()[literal[i]].class)]
			if state = int(*edge); state == 0 {
				state = len(signs)
				*edge = uint16(state)
				a.next = append(a.next, make([]uint16, byteClasses)...)
				signs = append(signs, signature{})
			}
		}
		signs[state].merge(&sign)
	}
	a.link(signs)
	return a
}

// link completes the table: where no literal goes on, the longest suffix of what was
// read that begins a literal does.
func (a *automaton) link(signs []signature) {
	suffix := make([]uint16, len(signs))
	a.found = make([]uint16, len(signs))
	index := map[signature]uint16{{}: 0}
	for queue := []int{0}; len(queue) > 0; queue = queue[1:] {
		state := queue[0]
		if state != 0 {
			signs[state].merge(&signs[suffix[state]])
		}
		if _, known := index[signs[state]]; !known {
			index[signs[state]] = uint16(len(a.signs))
			a.signs = append(a.signs, signs[state])
		}
		a.found[state] = index[signs[state]]
		for class := range byteClasses {
			edge, fallback := &a.next[state*byteClasses+class], uint16(0)
			if state != 0 {
				fallback = a.next[int(suffix[state])*byteClasses+class]
			}
			if *edge == 0 {
				*edge = fallback
				continue
			}
			suffix[*edge] = fallback
			queue = append(queue, int(*edge))
		}
	}
}

// pass is a run of an automaton over a text.
type pass struct {
	automaton *automaton
	state     int
	last      uint8     // the kind of the byte before
	seen      signature // of the literals that ended since the caller last emptied it
}

// start begins a pass at the gap before the text.
func (a *automaton) start() pass { return pass{automaton: a, state: int(a.next[0])} }

// read takes the next piece of the text.
func (p *pass) read(piece string) {
	a, facts := p.automaton, factsOfBytes()
	state, last := p.state, p.last
	for i := 0; i < len(piece); i++ {
		f := facts[piece[i]]
		if f.kind != last {
			if last != gapKind {
				state = int(a.next[state*byteClasses])
				if n := a.found[state]; n != 0 {
					p.seen.merge(&a.signs[n])
				}
			}
			last = f.kind
		}
		if f.kind != gapKind {
			state = int(a.next[state*byteClasses+int(f.class)])
			if n := a.found[state]; n != 0 {
				p.seen.merge(&a.signs[n])
			}
		}
	}
	p.state, p.last = state, last
}
