package ngram

// The weights of the cache. With the weights that are best for held-out entries of the built-in corpus (a share of 0.1
// and a half of 50), the perplexity is less than one per cent lower. An entry has 65 words; prefixes are longer, so the
// share is higher here.
const (
	cacheShare   = 0.3   // the most that the cache can weigh
	cacheHalf    = 200.0 // words after which it weighs half of that
	cacheBackoff = 0.5   // words that the shorter context counts, in every longer one
)

// cache has the last words of a prefix and of the text behind it, as far as they were read: at most Window words.
type cache struct {
	ids    map[string]word // of words that the model does not know
	recent []gram          // the words with their contexts; if there are Window, a ring
	oldest int             // in recent
	words  map[word]float64
	levels [order - 1]struct { // by the number of words in the context, less 1
		seen  map[gram]float64
		after map[context]float64
	}
}

func newCache() *cache {
	c := &cache{ids: map[string]word{}, words: map[word]float64{}}
	for i := range c.levels {
		c.levels[i].seen, c.levels[i].after = map[gram]float64{}, map[context]float64{}
	}
	return c
}

// add counts a word behind a context, and forgets the oldest word if there are too many.
func (h *cache) add(c context, w word) {
	g := gram{c, w}
	if len(h.recent) < Window {
		h.recent = append(h.recent, g)
	} else {
		h.count(h.recent[h.oldest], -1)
		h.recent[h.oldest] = g
		h.oldest = (h.oldest + 1) % Window
	}
	h.count(g, 1)
}

// count adds n, 1 or -1, to the counts of a word behind a context.
func (h *cache) count(g gram, n float64) {
	change(h.words, g.next, n)
	for i := range h.levels {
		short := g.last(i + 1)
		change(h.levels[i].seen, gram{short, g.next}, n)
		change(h.levels[i].after, short, n)
	}
}

// change adds n to a count. Counts of 0 are deleted, so that long texts do not fill the memory.
func change[K comparable](counts map[K]float64, key K, n float64) {
	if counts[key] += n; counts[key] == 0 {
		delete(counts, key)
	}
}

// total returns the number of words.
func (h *cache) total() float64 { return float64(len(h.recent)) }

// share is the weight of the cache, from 0 for an empty one.
func (h *cache) share() float64 { return cacheShare * h.total() / (h.total() + cacheHalf) }

// probability returns the probability that a word of the cache follows a context; the cache must not be empty.
func (h *cache) probability(c context, w word) float64 {
	p := h.words[w] / h.total()
	for i := range h.levels {
		short := c.last(i + 1)
		after := h.levels[i].after[short]
		if after == 0 {
			break // longer contexts were not seen either
		}
		p = (h.levels[i].seen[gram{short, w}] + cacheBackoff*p) / (after + cacheBackoff)
	}
	return p
}
