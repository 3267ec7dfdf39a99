package wire

import (
	"bytes"
	"encoding/json"
	"strings"
)

// NoOutput is sent for a tool message without content, which some endpoints refuse.
const NoOutput = "(no output)"

// Present tells a JSON value from its absence.
func Present(raw json.RawMessage) bool {
	raw = bytes.TrimSpace(raw)
	return len(raw) > 0 && !bytes.Equal(raw, []byte("null"))
}

// maxCount is above what any call can use; a larger figure is a fault of the endpoint.
const maxCount = 1 << 32

// Tokens is a count as an endpoint gives it, within what a count can be.
func Tokens(n int) int { return min(max(n, 0), maxCount) }

// spare is how many levels deeper than a reply a part of it stands in a request or record.
const spare = 64

// Nests tells whether a JSON value can stand there: encoding/json takes 10,000 levels.
func Nests(value string) bool {
	return json.Valid([]byte(strings.Repeat("[", spare) + value + strings.Repeat("]", spare)))
}
