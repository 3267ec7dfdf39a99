package wire

import (
	"bytes"
	"encoding/json"
	"strings"
)

// NoOutput is sent for a tool message without content, which some endpoints refuse.
const NoOutput = "(no output)"

// Present reports whether a JSON value is there and not null.
func Present(raw json.RawMessage) bool {
	raw = bytes.TrimSpace(raw)
	return len(raw) > 0 && !bytes.Equal(raw, []byte("null"))
}

// Words is a JSON string, or any other value as written; "" for a missing value.
func Words(raw json.RawMessage) string {
	var s string
	if !Present(raw) || json.Unmarshal(raw, &s) == nil {
		return s
	}
	return string(raw)
}

// maxCount is above the tokens of any call; a larger figure is a fault of the endpoint.
const maxCount = 1 << 32

// Tokens limits a count from an endpoint to possible values.
func Tokens(n int) int { return min(max(n, 0), maxCount) }

// spare is the additional nesting of a reply's part in a request or record.
const spare = 64

// Nests reports whether a JSON value can be nested there: encoding/json allows 10,000 levels.
func Nests(value string) bool {
	return json.Valid([]byte(strings.Repeat("[", spare) + value + strings.Repeat("]", spare)))
}
