package store

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"

	"github.com/seed-5817661a/concur/runner/trace"
)

// eventHead has the fields before an event's time.
type eventHead struct {
	trace.ID
	Path    string `json:"path"`
	Event   string `json:"event"`
	Session int    `json:"session"`
}

var errDamaged = errors.New("the line is damaged, but the lines before it are not: copy the folder, cut the file off there, and resume")

func damageError(cause error) error { return fmt.Errorf("%w (%w)", errDamaged, cause) }

// headEnd follows the fields that name a line's trace.
var headEnd = []byte(`,"time":`)

// decodeHead decodes only the fields before the time, and checks that the line is complete.
// Quotation marks in strings are escaped, so headEnd can only occur between fields.
func decodeHead(line []byte, into any) error {
	if !whole(line) {
		return errDamaged
	}
	if i := bytes.Index(line, headEnd); i >= 0 {
		head := make([]byte, 0, 256)
		line = append(append(head, line[:i]...), '}')
	}
	if err := json.Unmarshal(line, into); err != nil {
		return damageError(err)
	}
	return nil
}

// whole reports whether a line is one object from its first byte to its last, judging by brackets, strings and
// control characters. Lines cut by a power failure or a full disk, or mixed by two writers, are not. It takes a tenth
// of the time of json.Valid, and leaves values to later decoding.
func whole(line []byte) bool {
	line = bytes.TrimRight(line, "\r\n")
	if len(line) == 0 || line[0] != '{' {
		return false
	}
	depth := 0
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == '"':
			if i = stringEnd(line, i+1); i < 0 {
				return false
			}
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			if depth--; depth == 0 {
				return c == '}' && i == len(line)-1
			}
		case c < ' ':
			return false
		}
	}
	return false
}

// stringEnd is where a string ends; -1 if it has no end or a control character comes first.
func stringEnd(line []byte, from int) int {
	for i := from; i < len(line); i++ {
		switch c := line[i]; {
		case c == '"':
			return i
		case c == '\\':
			i++
		case c < ' ':
			return -1
		}
	}
	return -1
}

// castagnoli is the polynomial of CRC-32C, which finds every error of up to three bits in a line.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// The checksum is the last field of a line: `,"crc":"89abcdef"}`.
const (
	sumField = `,"crc":"`
	sumTail  = len(sumField) + len(`89abcdef"}`)
)

// withSum adds the checksum of a JSON object to it as its last field.
func withSum(object []byte) []byte {
	sum := crc32.Checksum(object, castagnoli)
	return fmt.Appendf(object[:len(object)-1], `%s%08x"}`, sumField, sum)
}

// errSum is that of a line which is not what was written.
var errSum = errors.New("the line is not what was written, its checksum differs: the disk or an editor changed it; " +
	"put the file back from a copy, or begin a new run")

// checkSum verifies the checksum of a line; lines without one pass.
func checkSum(line []byte) error {
	line = bytes.TrimRight(line, "\n")
	at := len(line) - sumTail
	if at < 0 || !bytes.HasPrefix(line[at:], []byte(sumField)) {
		return nil
	}
	object := append(bytes.Clone(line[:at]), '}')
	if !bytes.Equal(withSum(object), line) {
		return errSum
	}
	return nil
}
