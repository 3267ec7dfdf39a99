package lines

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"hash"
	"iter"
	"slices"
)

// Encode writes a value as one line of JSON without the line end. It does not escape <, > and &, so that
// texts stay readable and the output of tools and models is read back byte for byte.
func Encode(value any) ([]byte, error) { return Append(nil, value) }

// Appender is a value that writes its own line. A json.Marshaler could do so too, but encoding/json then checks and
// copies what it returns.
type Appender interface {
	// AppendLine appends what Encode returns.
	AppendLine(out []byte) ([]byte, error)
}

// Append appends what Encode returns.
func Append(out []byte, value any) ([]byte, error) {
	if a, is := value.(Appender); is {
		return a.AppendLine(out)
	}
	buffer := bytes.NewBuffer(out)
	enc := json.NewEncoder(buffer)
	enc.SetEscapeHTML(false)
	err := enc.Encode(value)
	return bytes.TrimSuffix(buffer.Bytes(), []byte("\n")), err
}

// Hash returns the SHA-256, as "sha256:…", of a line with the schema and of one line of JSON per item, sorted
// by key: the order of the list does not matter. The form of items must consist of strings and integers, which
// can always be encoded.
func Hash[T any](schema string, list []T, key func(*T) string, form func(*T) any) string {
	digest := newDigest(schema)
	encoder := json.NewEncoder(digest)
	indexes := make([]int, len(list))
	for i := range indexes {
		indexes[i] = i
	}
	slices.SortFunc(indexes, func(a, b int) int { return cmp.Compare(key(&list[a]), key(&list[b])) })
	for _, i := range indexes {
		_ = encoder.Encode(form(&list[i])) // neither a hash nor such a value can fail to be written
	}
	return "sha256:" + hex.EncodeToString(digest.Sum(nil))
}

// HashLines returns what Hash returns for items whose lines of JSON, each with its line end, come sorted by key. It
// returns the first error of the sequence.
func HashLines(schema string, sorted iter.Seq2[[]byte, error]) (string, error) {
	digest := newDigest(schema)
	for line, err := range sorted {
		if err != nil {
			return "", err
		}
		digest.Write(line) // never fails
	}
	return "sha256:" + hex.EncodeToString(digest.Sum(nil)), nil
}

// newDigest returns a hash of the line with the schema.
func newDigest(schema string) hash.Hash {
	digest := sha256.New()
	_ = json.NewEncoder(digest).Encode(struct {
		Schema string `json:"schema"`
	}{schema}) // never fails
	return digest
}
