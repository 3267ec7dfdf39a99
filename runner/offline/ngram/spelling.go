package ngram

// symbol is a byte of a word, or one of the two marks below.
type symbol uint64

const (
	endMark   symbol = 256 // behind the last byte of a word
	startMark symbol = 257 // before its first byte
	symbols          = 257 // bytes and endMark: what can come next
)

const (
	symbolBits = 9 // of a symbol in a key
	maxBytes   = 4 // symbols of the longest context
)

// spelling is a model of the bytes of words: for every word, the product of the probabilities of its bytes and of its
// end. It interpolates contexts of up to maxBytes symbols by the rule of Witten and Bell; the shortest is uniform. So
// the probabilities of all strings sum to 1. It learns from each word once, however often the word was seen.
type spelling struct {
	seen  [maxBytes + 1]map[uint64]float64  // how often a symbol followed a context, by the length of the context
	after [maxBytes + 1]map[uint64]followed // by context
}

// followed describes what followed a context.
type followed struct {
	total float64 // symbols
	types float64 // different symbols
}

func newSpelling() *spelling {
	s := &spelling{}
	for i := range s.seen {
		s.seen[i], s.after[i] = map[uint64]float64{}, map[uint64]followed{}
	}
	return s
}

// history is the last maxBytes symbols, the last one in the lowest bits.
type history uint64

func (h history) and(s symbol) history {
	return (h<<symbolBits | history(s)) & (1<<(symbolBits*maxBytes) - 1)
}

// last returns the key of the context of n symbols.
func (h history) last(n int) uint64 { return uint64(h) & (1<<(symbolBits*n) - 1) }

// start is the history before the first byte of a word.
func start() (h history) {
	for range maxBytes {
		h = h.and(startMark)
	}
	return h
}

func (s *spelling) learn(word string) {
	h := start()
	for i := range len(word) {
		s.count(h, symbol(word[i]))
		h = h.and(symbol(word[i]))
	}
	s.count(h, endMark)
}

func (s *spelling) count(h history, next symbol) {
	for n := range s.seen {
		context := h.last(n)
		key := context<<symbolBits | uint64(next)
		f := s.after[n][context]
		f.total++
		if s.seen[n][key] == 0 {
			f.types++
		}
		s.seen[n][key]++
		s.after[n][context] = f
	}
}

// next returns the probability that a symbol, which is not startMark, follows a history.
func (s *spelling) next(h history, next symbol) float64 {
	p := 1.0 / symbols
	for n := range s.seen {
		context := h.last(n)
		f, known := s.after[n][context]
		if !known {
			break // longer contexts are unknown too
		}
		p = (s.seen[n][context<<symbolBits|uint64(next)] + f.types*p) / (f.total + f.types)
	}
	return p
}

// word returns the probability of a word, above 0.
func (s *spelling) word(word string) float64 {
	h, p := start(), 1.0
	for i := range len(word) {
		p *= s.next(h, symbol(word[i]))
		h = h.and(symbol(word[i]))
	}
	return p * s.next(h, endMark)
}
