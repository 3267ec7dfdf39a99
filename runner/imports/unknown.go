package imports

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/internal/text"
)

// unknown returns the error for a file of an unknown format. It lists the file's fields, and names the most
// similar format.
func unknown(in *bufio.Reader, size int64) error {
	head, _ := in.Peek(in.Size())
	keys, many := keysOf(head)
	if len(keys) == 0 {
		return fmt.Errorf("it has no JSON objects (%s): give a file of results as JSON or JSONL", bytesOf(size))
	}
	what := "one object"
	if many {
		what = "objects"
	}
	shown := make([]string, 0, len(keys))
	for _, key := range keys {
		shown = append(shown, text.Quote(text.Clip(key, 16)))
	}
	found := fmt.Sprintf("unknown format, %s with %s, %s", what, text.ListedUpTo(4, shown), bytesOf(size))
	if r := resembled(keys); r != nil {
		return fmt.Errorf("%s; it resembles %s: add --from %s", found, r.what, r.format)
	}
	return fmt.Errorf("%s: add --mapping %s", found, suggested(keys))
}

// keysOf returns the names in the first object at the beginning of a file. many reports whether the file has
// several objects.
func keysOf(head []byte) (keys []string, many bool) {
	head = bytes.TrimSpace(bytes.TrimPrefix(head, []byte("\uFEFF")))
	dec := json.NewDecoder(bytes.NewReader(head))
	token, err := dec.Token()
	if token == json.Delim('[') {
		many = true
		token, err = dec.Token()
	}
	if err != nil || token != json.Delim('{') {
		return nil, many
	}
	for dec.More() {
		token, err := dec.Token()
		key, is := token.(string)
		var value json.RawMessage
		if err != nil || !is {
			return keys, many
		}
		keys = append(keys, key)
		if dec.Decode(&value) != nil { // the object is longer than head
			return keys, many
		}
	}
	_, err = dec.Token()
	return keys, many || err == nil && dec.More()
}

// resembled returns the format that has the most of its fields among the keys. It returns nil if no format
// has at least half of its fields, and two, among them.
func resembled(keys []string) (best *reader) {
	most := 1
	for _, r := range readers() {
		n := 0
		for _, field := range r.fields {
			if slices.Contains(keys, field) {
				n++
			}
		}
		if n > most && 2*n >= len(r.fields) {
			best, most = &r, n
		}
	}
	return best
}

// suggested returns a mapping from the usual names among the keys; without such names, an example.
func suggested(keys []string) string {
	var pairs []string
	for _, f := range mappable {
		for _, usual := range f.usual {
			if slices.Contains(keys, usual) {
				pairs = append(pairs, f.name+"="+usual)
				break
			}
		}
	}
	if len(pairs) == 0 {
		return "query=FIELD,output=FIELD,verdict=FIELD"
	}
	return strings.Join(pairs[:min(len(pairs), 4)], ",")
}

func bytesOf(n int64) string {
	switch {
	case n < 1<<10:
		return fmt.Sprintf("%d B", n)
	case n < 1<<20:
		return fmt.Sprintf("%d KiB", n>>10)
	}
	return fmt.Sprintf("%d MiB", n>>20)
}
