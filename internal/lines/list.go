package lines

// perChunk is the number of texts in a chunk of a List.
const perChunk = 1024

// List stores texts in their order, such as the ids of the queries of a large file. A text takes 4 bytes and its
// length. The list has few pointers, so collecting garbage takes no longer for a long list. The zero value is empty.
// Several goroutines may read it at the same time, but not while one adds a text. 1,024 texts may have at most 4 GB.
type List struct {
	chunks []textChunk
	last   []byte // the texts of the last chunk until it is full
}

type textChunk struct {
	texts string   // one after another; "" until the chunk is full
	ends  []uint32 // where each text ends
}

// Add adds a text at the end.
func (l *List) Add(text string) {
	n := len(l.chunks)
	if n == 0 || len(l.chunks[n-1].ends) == perChunk {
		l.chunks = append(l.chunks, textChunk{ends: make([]uint32, 0, perChunk)})
		n++
	}
	c := &l.chunks[n-1]
	l.last = append(l.last, text...)
	if c.ends = append(c.ends, uint32(len(l.last))); len(c.ends) == perChunk {
		c.texts, l.last = string(l.last), l.last[:0]
	}
}

// Len returns the number of texts.
func (l *List) Len() int {
	n := len(l.chunks)
	if n == 0 {
		return 0
	}
	return (n-1)*perChunk + len(l.chunks[n-1].ends)
}

// At returns the i-th text; the first has index 0. It panics if i is not below Len.
func (l *List) At(i int) string {
	c := &l.chunks[i/perChunk]
	begin, end := uint32(0), c.ends[i%perChunk]
	if i%perChunk > 0 {
		begin = c.ends[i%perChunk-1]
	}
	if len(c.ends) < perChunk {
		return string(l.last[begin:end])
	}
	return c.texts[begin:end]
}
