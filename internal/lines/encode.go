package lines

import (
	"bytes"
	"encoding/json"
)

// Encode writes a value as one line of JSON, without its end, and leaves <, > and & as they
// are: texts stay readable, and what tools and models wrote is read back byte for byte.
func Encode(value any) ([]byte, error) {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	err := enc.Encode(value)
	return bytes.TrimRight(out.Bytes(), "\n"), err
}
