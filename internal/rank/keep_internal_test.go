package rank

import (
	"crypto/sha256"
	"testing"
)

// FuzzReadIndex: a file of any content is refused or is an index that can be searched. The checksum is set right, so
// that the content behind it is read.
func FuzzReadIndex(f *testing.F) {
	x := NewIndex([]string{"Cats and dogs", "A dog", "Birds sing", "a dog, a dog", ""})
	whole := x.bytes()
	f.Add(whole[len(keepVersion) : len(whole)-sha256.Size])
	f.Add([]byte{5, 1, 1, 'a', 255, 255, 255, 255, 15})
	f.Add([]byte{5, 1, 1, 'a', 1, 9, 1})
	f.Add([]byte{5, 2, 1, 'a', 1, 1, 1, 1, 'a', 1, 1, 1})
	f.Fuzz(func(t *testing.T, body []byte) {
		data := append([]byte(keepVersion), body...)
		sum := sha256.Sum256(data)
		read, err := readIndex(append(data, sum[:]...), 5)
		if err != nil {
			return
		}
		for _, h := range read.Search("a dog sings", 9, nil) {
			if h.Document < 0 || h.Document >= 5 {
				t.Errorf("document %d", h.Document)
			}
		}
	})
}
