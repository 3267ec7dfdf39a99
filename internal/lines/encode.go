package lines

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
)

// Encode writes a value as one line of JSON without the line end. It does not escape <, > and &, so that
// texts stay readable and the output of tools and models is read back byte for byte.
func Encode(value any) ([]byte, error) {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	err := enc.Encode(value)
	return bytes.TrimRight(out.Bytes(), "\n"), err
}

// Hash returns the SHA-256, as "sha256:…", of a line with the schema and of one line of JSON per item, sorted
// by key: the order of the list does not matter. The form of items must consist of strings and integers, which
// can always be encoded.
func Hash[T any](schema string, list []T, key func(*T) string, form func(*T) any) string {
	digest := sha256.New()
	encoder := json.NewEncoder(digest)
	// Neither a write to a hash nor the encoding of such a value can fail.
	_ = encoder.Encode(struct {
		Schema string `json:"schema"`
	}{schema})
	indexes := make([]int, len(list))
	for i := range indexes {
		indexes[i] = i
	}
	slices.SortFunc(indexes, func(a, b int) int { return cmp.Compare(key(&list[a]), key(&list[b])) })
	for _, i := range indexes {
		_ = encoder.Encode(form(&list[i]))
	}
	return "sha256:" + hex.EncodeToString(digest.Sum(nil))
}
