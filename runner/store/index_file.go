package store

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"

	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/runner/model"
	"github.com/seed-5817661a/concur/runner/trace"
)

const (
	indexFile = "index.view"
	// indexHeader is the first line. The rest are the numbers and words of save, and their
	// checksum: as JSON, the index of 100,000 traces takes a second to read.
	indexHeader = `{"schema":"concur/index/v1"}` + "\n"
	// maxIndex bounds the memory that a file from somebody else can take.
	maxIndex = 1 << 28
)

// load takes over index.view, unless it is damaged or the files are no longer as they were.
func (x *Index) load() {
	file, err := openPlain(filepath.Join(x.dir, indexFile))
	if err != nil {
		return
	}
	defer file.Close()
	raw, err := io.ReadAll(io.LimitReader(file, maxIndex))
	if err != nil || len(raw) < len(indexHeader)+crc32.Size {
		return
	}
	body, sum := raw[:len(raw)-crc32.Size], raw[len(raw)-crc32.Size:]
	if crc32.Checksum(body, castagnoli) != binary.LittleEndian.Uint32(sum) {
		return
	}
	if body, ours := bytes.CutPrefix(body, []byte(indexHeader)); ours {
		x.take(&wordReader{left: body})
	}
}

// Save writes the index beside the files that it is of, unless one of them was not read to its
// end. It fails where the folder cannot be written; the index can still be used.
func (x *Index) Save() error {
	w := wordWriter{out: []byte(indexHeader), known: map[string]int{}}
	for f := range x.parts {
		p := &x.parts[f]
		p.RLock()
		defer p.RUnlock()
		if p.info == nil || p.info.Size() != p.end {
			return fmt.Errorf("save index: %s was not read to its end", jsonl[f].name)
		}
		w.numbers(p.info.Size(), p.info.ModTime().UnixNano())
	}
	w.numbers(int64(len(x.records)))
	for _, r := range x.records {
		w.words(r.Configuration, r.Query, string(r.Verdict))
		w.numbers(r.Offset)
	}
	w.numbers(int64(len(x.traces)))
	for query, traces := range x.traces {
		w.words(query)
		w.numbers(int64(len(traces)))
		for _, t := range traces {
			w.words(t.id.Agent, string(t.outcome))
			w.numbers(int64(t.id.Trace))
			w.places(t.places)
		}
	}
	w.numbers(int64(len(x.exchanges)))
	for query, conversations := range x.exchanges {
		w.words(query)
		w.numbers(int64(len(conversations)))
		for _, c := range conversations {
			w.words(c.of.Agent, string(c.of.Purpose))
			w.numbers(int64(c.of.Trace))
			w.places(c.places)
		}
	}
	w.numbers(int64(len(x.settings)))
	for name, offset := range x.settings {
		w.words(name)
		w.numbers(offset)
	}
	sum := crc32.Checksum(w.out, castagnoli)
	return WriteFile(filepath.Join(x.dir, indexFile), binary.LittleEndian.AppendUint32(w.out, sum))
}

// take reads what Save wrote. Where it is of other files, or not what Save writes, the index
// stays empty.
func (x *Index) take(r *wordReader) {
	var infos [len(jsonl)]os.FileInfo
	for f := range jsonl {
		info, err := os.Lstat(filepath.Join(x.dir, jsonl[f].name))
		if size, time := r.number(), r.number(); err != nil || info.Size() != size || info.ModTime().UnixNano() != time {
			return
		}
		infos[f] = info
	}
	r.each(func() {
		at := RecordAt{r.word(), r.word(), judge.Ruling(r.word()), r.number()}
		x.recordOf[recordKey{at.Configuration, at.Query}] = len(x.records)
		x.records = append(x.records, at)
	})
	r.each(func() {
		query := r.word()
		r.each(func() {
			t := &tracePlaces{id: trace.ID{Agent: r.word(), Query: query}, outcome: trace.Outcome(r.word())}
			t.id.Trace, t.places = int(r.number()), r.places()
			x.traces[query] = append(x.traces[query], t)
		})
	})
	r.each(func() {
		query := r.word()
		r.each(func() {
			c := &exchangePlaces{of: model.Identity{Agent: r.word(), Query: query, Purpose: model.Purpose(r.word())}}
			c.of.Trace, c.places = int(r.number()), r.places()
			x.exchanges[query] = append(x.exchanges[query], c)
		})
	})
	r.each(func() {
		name := r.word()
		x.settings[name] = r.number()
	})
	for f, info := range infos {
		if r.err != nil {
			x.reset(fileIndex(f))
			continue
		}
		x.parts[f].info, x.parts[f].end = info, info.Size()
	}
}

// wordWriter writes numbers as varints, and each word once.
type wordWriter struct {
	out   []byte
	known map[string]int
}

func (w *wordWriter) numbers(all ...int64) {
	for _, n := range all {
		w.out = binary.AppendVarint(w.out, n)
	}
}

func (w *wordWriter) words(all ...string) {
	for _, word := range all {
		number, known := w.known[word]
		if known {
			w.numbers(int64(number))
			continue
		}
		w.numbers(int64(len(w.known)), int64(len(word)))
		w.out = append(w.out, word...)
		w.known[word] = len(w.known)
	}
}

// places are written by their distances, which are shorter.
func (w *wordWriter) places(p places) {
	w.numbers(int64(p.session), int64(len(p.at)))
	last := int64(0)
	for _, offset := range p.at {
		w.numbers(offset - last)
		last = offset
	}
}

// wordReader reads what wordWriter wrote. After an error, everything is zero.
type wordReader struct {
	left  []byte
	known []string
	err   error
}

var errWords = errors.New("the index is not what was written")

func (r *wordReader) number() int64 {
	n, size := binary.Varint(r.left)
	if size <= 0 || r.err != nil {
		r.err = errWords
		return 0
	}
	r.left = r.left[size:]
	return n
}

// each does something as often as the next number says, or until an error.
func (r *wordReader) each(do func()) {
	for n := r.number(); n > 0 && r.err == nil; n-- {
		do()
	}
}

func (r *wordReader) word() string {
	number := r.number()
	switch {
	case r.err != nil || number < 0 || number > int64(len(r.known)):
		r.err = errWords
		return ""
	case number < int64(len(r.known)):
		return r.known[number]
	}
	size := r.number()
	if size < 0 || size > int64(len(r.left)) {
		r.err = errWords
		return ""
	}
	word := string(r.left[:size])
	r.left, r.known = r.left[size:], append(r.known, word)
	return word
}

func (r *wordReader) places() places {
	p := places{session: int(r.number())}
	last := int64(0)
	r.each(func() {
		last += r.number()
		p.at = append(p.at, last)
	})
	return p
}
