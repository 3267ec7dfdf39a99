package inject

// automaton finds all of many literals in one pass over a text (Aho and Corasick
// 1975), as a table of states by classes of bytes. Each literal has a signature; the
// pass gives the union of the signatures of those found.
type automaton struct {
	next  []uint16 // state × class to state
	found []uint16 // state to the index in signs of what ends there, 0 for nothing
	signs []signature
}

// maxStates is what a state's number can tell apart.
const maxStates = 1 << 16

// signature is a set of small numbers.
type signature [4]uint64

const maxSignature = len(signature{}) * 64

func (s *signature) add(n int) { s[n/64] |= 1 << (n % 64) }

func (s *signature) merge(t *signature) {
	for i := range s {
		s[i] |= t[i]
	}
}

// covers reports whether s holds all of t.
func (s *signature) covers(t *signature) bool {
	return t[0]&^s[0]|t[1]&^s[1]|t[2]&^s[2]|t[3]&^s[3] == 0
}

// newAutomaton builds the automaton of literals, which stand in words. There must not
// be more than maxStates letters in all of them; a test holds the table to that.
func newAutomaton(literals map[string]signature) *automaton {
	a := &automaton{signs: make([]signature, 1)}
	a.link(a.trie(literals))
	return a
}

func (a *automaton) addState() int {
	a.next = append(a.next, make([]uint16, byteClasses)...)
	return len(a.next)/byteClasses - 1
}

// trie enters the literals and returns the signatures of the states.
func (a *automaton) trie(literals map[string]signature) []signature {
	a.addState()
	signs := make([]signature, 1)
	for literal, sign := range literals {
		state := 0
		for i := range len(literal) {
			edge := state*byteClasses + int(classOf(literal[i]))
			if a.next[edge] == 0 {
				added := a.addState()
				a.next[edge] = uint16(added)
				signs = append(signs, signature{})
			}
			state = int(a.next[edge])
		}
		signs[state].merge(&sign)
	}
	return signs
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
			edge := state*byteClasses + class
			fallback := uint16(0)
			if state != 0 {
				fallback = a.next[int(suffix[state])*byteClasses+class]
			}
			if a.next[edge] == 0 {
				a.next[edge] = fallback
				continue
			}
			suffix[a.next[edge]] = fallback
			queue = append(queue, int(a.next[edge]))
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
func (a *automaton) start() pass {
	return pass{automaton: a, state: int(a.next[0])}
}

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

// end takes the end of the text, which is a gap.
func (p *pass) end() { p.read(" ") }
