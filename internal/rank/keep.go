package rank

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// keepVersion changes when the same texts could give another kept index: other terms, or another form of the file.
const keepVersion = "concur/index/v1\n"

// keptIndexes is the number of indexes that a folder keeps, the newest.
const keptIndexes = 16

// keepLeast is the smallest number of texts whose index is kept. A smaller index takes less time than reading the
// texts.
const keepLeast = 2000

// OpenIndex returns the index of texts, which NewIndex builds, and keeps it in a file of dir. If dir has the index
// already, OpenIndex reads it. key identifies the texts and their order. dir may be "", which keeps nothing.
//
// A kept index says only in which texts a term is, and how often. Texts never come from it, so a file that was
// changed can only change the order of results. A damaged file is replaced. A failure to keep the index is no
// error.
func OpenIndex(dir, key string, texts []string) *Index {
	if dir == "" || len(texts) < keepLeast {
		return NewIndex(texts)
	}
	sum := sha256.Sum256([]byte(keepVersion + key))
	path := filepath.Join(dir, hex.EncodeToString(sum[:]))
	if data, err := os.ReadFile(path); err == nil {
		if x, err := readIndex(data, len(texts)); err == nil {
			now := time.Now()
			_ = os.Chtimes(path, now, now) // the oldest are removed first
			return x
		}
	}
	x := NewIndex(texts)
	if replaceFile(path, x.bytes()) == nil {
		removeOldest(dir)
	}
	return x
}

// replaceFile writes a file in one step, because other processes may read it.
func replaceFile(path string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), "new-*")
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}

// removeOldest removes all files of a folder but the newest.
func removeOldest(dir string) {
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) <= keptIndexes {
		return
	}
	times := map[string]time.Time{}
	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() {
			times[e.Name()] = info.ModTime()
		}
	}
	names := slices.SortedFunc(maps.Keys(times), func(a, b string) int { return times[b].Compare(times[a]) })
	for _, name := range names[min(keptIndexes, len(names)):] {
		_ = os.Remove(filepath.Join(dir, name)) // another process may have removed it
	}
}

// bytes returns the form of a kept index: the version, the number of texts and of terms, then for each term its
// length, its bytes, the number of its texts and, for each of them, the distance from the text before and the number
// of occurrences; at the end the SHA-256 of all this. Numbers are unsigned varints.
func (x *Index) bytes() []byte {
	out := []byte(keepVersion)
	out = binary.AppendUvarint(out, uint64(len(x.norms)))
	out = binary.AppendUvarint(out, uint64(len(x.postings)))
	for _, term := range slices.Sorted(maps.Keys(x.postings)) {
		list := x.postings[term]
		out = binary.AppendUvarint(out, uint64(len(term)))
		out = append(out, term...)
		out = binary.AppendUvarint(out, uint64(len(list)))
		before := int32(-1)
		for _, p := range list {
			out = binary.AppendUvarint(out, uint64(p.document-before))
			out = binary.AppendUvarint(out, uint64(p.times))
			before = p.document
		}
	}
	sum := sha256.Sum256(out)
	return append(out, sum[:]...)
}

// errDamaged is the error for a file that is no kept index of the texts.
var errDamaged = errors.New("this is not a kept index of these texts")

// maxTimes is the largest number of occurrences of a term that is read.
const maxTimes = 1 << 24

// readIndex reads the form of bytes. It accepts only numbers that an index of so many texts can have.
func readIndex(data []byte, texts int) (*Index, error) {
	body, found := bytes.CutPrefix(data, []byte(keepVersion))
	if !found || len(body) < sha256.Size {
		return nil, errDamaged
	}
	at := len(data) - sha256.Size
	if sum := sha256.Sum256(data[:at]); !bytes.Equal(sum[:], data[at:]) {
		return nil, errDamaged
	}
	r := &numbers{data: body[:len(body)-sha256.Size]}
	n, terms := r.next(uint64(texts)), r.next(uint64(len(body)))
	if r.err != nil || n != texts {
		return nil, errDamaged
	}
	x := &Index{Weights: &Weights{Documents: n, Frequency: make(map[string]int, terms)},
		postings: make(map[string][]posting, terms), norms: make([]float64, n)}
	for range terms {
		term := r.text(r.next(uint64(len(r.data))))
		count := r.next(uint64(min(n, len(r.data))))
		if r.err != nil || count == 0 || x.postings[term] != nil {
			return nil, errDamaged
		}
		list := make([]posting, count)
		before := -1
		for i := range list {
			before += r.next(uint64(n))
			times := r.next(maxTimes)
			if r.err != nil || before < 0 || before >= n || times == 0 || i > 0 && int32(before) == list[i-1].document {
				return nil, errDamaged
			}
			list[i] = posting{int32(before), int32(times)}
			x.norms[before] += float64(times)
		}
		x.postings[term], x.Weights.Frequency[term] = list, count
	}
	if len(r.data) > 0 {
		return nil, fmt.Errorf("%w: bytes are left", errDamaged)
	}
	x.normalise()
	return x, nil
}

// numbers reads varints; err is set by the first that cannot be read or is too large.
type numbers struct {
	data []byte
	err  error
}

func (r *numbers) next(most uint64) int {
	v, size := binary.Uvarint(r.data)
	if size <= 0 || v > most {
		r.err, r.data = io.ErrUnexpectedEOF, nil
		return 0
	}
	r.data = r.data[size:]
	return int(v)
}

func (r *numbers) text(length int) string {
	if length > len(r.data) {
		r.err, r.data = io.ErrUnexpectedEOF, nil
		return ""
	}
	text := string(r.data[:length])
	r.data = r.data[length:]
	return text
}
