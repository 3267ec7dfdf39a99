package store

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/crc32"
	"strconv"

	"github.com/seed-5817661a/concur/runner/store/disk"
)

var errDamaged error = disk.Damage(errors.New("the line is damaged: restore the file from a copy, or keep the " +
	"undamaged lines with `concur runs repair`"))

func damageError(cause error) error { return fmt.Errorf("%w (%w)", errDamaged, cause) }

// whole reports whether a line is one object from its first byte to its last. It checks brackets, strings and
// control characters. So it detects a line that a power failure or a full disk cut off, or that two writers
// mixed. It takes a tenth of the time of json.Valid, because it does not check values; these are checked when
// the line is decoded.
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

// stringEnd returns the index at which a string ends. It returns -1 if the string has no end or contains a
// control character.
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

// castagnoli is the table of CRC-32C, which detects every error of up to three bits in a line.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// place is the position at which a line was written. line is its number in the file, from 1. ofTrace is its
// number among the lines of its trace in one session, from 1; it is 0 for lines that belong to no trace.
type place struct{ line, ofTrace int }

func (p place) String() string {
	if p.ofTrace > 0 {
		return fmt.Sprintf("%d.%d", p.line, p.ofTrace)
	}
	return strconv.Itoa(p.line)
}

// sums computes and verifies the checksums of a run's lines. In newer runs every line ends with its place and
// its checksum, `,"crc":"17.3-89abcdef"}`. The checksum covers the name of the run, the place and the line
// without this field. So it detects a line that was copied to another run or moved to another place. In older
// runs only records have a checksum, and it covers only the line.
type sums struct {
	run       string // name of the run
	hasPlaces bool   // every line has its place
}

// sums returns the checksums of the run.
func (m Manifest) sums() sums { return sums{m.Run, m.Sums > 0} }

// sumField is the beginning of the last field of a line. maxTail is the maximum number of bytes from there to
// the end of the line.
const (
	sumField = `,"crc":"`
	maxTail  = len(sumField) + 2*20 + len(`.-89abcdef"}`)
)

// add adds the checksum to a JSON object as its last field.
func (s sums) add(object []byte, p place) []byte {
	open := object[:len(object)-1]
	if !s.hasPlaces {
		return fmt.Appendf(open, `%s%08x"}`, sumField, crc32.Checksum(object, castagnoli))
	}
	return fmt.Appendf(open, `%s%s-%08x"}`, sumField, p, s.checksum(open, p))
}

// checksum returns the checksum of an object without its last bracket, at a place.
func (s sums) checksum(open []byte, p place) uint32 {
	var buf [96]byte
	head := append(append(buf[:0], s.run...), '\n')
	head = strconv.AppendInt(head, int64(p.line), 10)
	if p.ofTrace > 0 {
		head = strconv.AppendInt(append(head, '.'), int64(p.ofTrace), 10)
	}
	return crc32.Update(crc32.Checksum(append(head, '\n'), castagnoli), castagnoli, open)
}

// Errors of lines with a wrong or missing checksum.
var (
	errSum = errors.New("the line has a wrong checksum: the disk or an editor changed it, " +
		"or it belongs to another run")
	errNoSum = errors.New("the line has no checksum: another program changed it or added it")
)

// split separates a line from its checksum. object is the rest of the line without its last bracket; sum is
// nil if the line has no checksum.
func split(line []byte) (object []byte, p place, sum []byte) {
	line = bytes.TrimRight(line, "\r\n")
	from := max(0, len(line)-maxTail)
	at := bytes.LastIndex(line[from:], []byte(sumField))
	if at < 0 {
		return line, place{}, nil
	}
	p, sum = readSum(line[from+at+len(sumField):])
	if sum == nil {
		return line, place{}, nil
	}
	return line[:from+at], p, sum
}

// readSum reads the end of a line after sumField, such as `17.3-89abcdef"}`; sum is nil if it has another form.
func readSum(tail []byte) (p place, sum []byte) {
	tail, is := bytes.CutSuffix(tail, []byte(`"}`))
	if !is || len(tail) < 8 {
		return p, nil
	}
	at, sum := tail[:len(tail)-8], tail[len(tail)-8:]
	for _, c := range sum {
		if (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return p, nil
		}
	}
	if len(at) == 0 {
		return p, sum
	}
	at, is = bytes.CutSuffix(at, []byte("-"))
	line, ofTrace, several := bytes.Cut(at, []byte("."))
	p.line, is = digits(line, is)
	if several {
		p.ofTrace, is = digits(ofTrace, is)
	}
	if !is {
		return place{}, nil
	}
	return p, sum
}

// digits reads a number of at most 18 digits. is reports whether text is such a number. It is always false if
// the argument ok is false, so that a caller can chain several steps and check only the last result.
func digits(text []byte, ok bool) (n int, is bool) {
	if !ok || len(text) == 0 || len(text) > 18 {
		return 0, false
	}
	for _, c := range text {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = 10*n + int(c-'0')
	}
	return n, true
}

// isSum reports whether a checksum is equal to these eight hexadecimal digits.
func isSum(sum uint32, written []byte) bool {
	var raw [4]byte
	_, err := hex.Decode(raw[:], written)
	return err == nil && binary.BigEndian.Uint32(raw[:]) == sum
}

// withoutSum returns a copy of a line's object, without its checksum.
func withoutSum(line []byte) []byte {
	object, _, sum := split(line)
	object = bytes.Clone(object)
	if sum != nil {
		object = append(object, '}')
	}
	return object
}

// check verifies the checksum of a line, and returns the place at which the line was written. If the run's
// lines have places, a line without a checksum is an error.
func (s sums) check(line []byte) (place, error) {
	object, p, sum := split(line)
	switch {
	case sum == nil && s.hasPlaces:
		return p, errNoSum
	case sum == nil:
		return p, nil
	case s.hasPlaces:
		if p.line == 0 || !isSum(s.checksum(object, p), sum) {
			return place{}, errSum
		}
		return p, nil
	}
	whole := crc32.Update(crc32.Checksum(object, castagnoli), castagnoli, []byte("}"))
	if !isSum(whole, sum) {
		return place{}, errSum
	}
	return place{}, nil
}

// misplaced returns the error for a line that is now at another place than the one where it was written.
func misplaced(written, stands int) error {
	switch {
	case written < stands:
		return fmt.Errorf("the line was written as line %d: it is a duplicate, or in the wrong order", written)
	default:
		return fmt.Errorf("the line was written as line %d: lines before it are missing, or in the wrong order",
			written)
	}
}
