package store

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"strconv"

	"github.com/seed-5817661a/concur/internal/lazy"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/trace"
)

// eventHead has the fields before an event's time.
type eventHead struct {
	trace.ID
	Path    string `json:"path"`
	Event   string `json:"event"`
	Session int    `json:"session"`
}

func (e eventHead) line() lineHead {
	return lineHead{
		Identity: model.Identity{Agent: e.Agent, Query: e.Query, Trace: e.ID.Trace, Path: e.Path},
		Event:    e.Event, Session: e.Session,
	}
}

// ends reports whether the event ends its trace.
func (e eventHead) ends() bool { return e.Event == "final" && e.Path == "" }

// lineHead has the fields before the time of an event, or of an exchange, which has no event.
type lineHead struct {
	model.Identity
	Event   string `json:"event"`
	Session int    `json:"session"`
}

func (h lineHead) ends() bool { return h.Event == "final" && h.Path == "" }

// group names lines of a file that are numbered together: the events of a trace, or the exchanges of a trace,
// a verifier or a judge, in one session. The purpose of events is "".
type group struct {
	model.Identity
	session int
}

// group returns the group of the line. An extraction, which follows the end of its trace, has no group.
func (h lineHead) group() (group, bool) {
	return group{h.OfTrace(), h.Session}, h.Query != "" && h.Event != trace.ExtractionEvent
}

// ended returns the groups that get no more lines when a trace ends.
func (h lineHead) ended() [2]group {
	events := group{h.OfTrace(), h.Session}
	exchanges := events
	exchanges.Purpose = model.Agent
	return [...]group{events, exchanges}
}

// ErrDamaged is wrapped by every error about a damaged file of a run: a file that was cut or changed, or is
// not a plain file.
var ErrDamaged = errors.New("the run is damaged")

// damage is an error about a damaged file.
type damage struct{ error }

func (damage) Is(target error) bool { return target == ErrDamaged }

func (d damage) Unwrap() error { return d.error }

// Damage wraps an error about a file of a run folder, so that it matches ErrDamaged.
func Damage(err error) error { return damage{err} }

var errDamaged error = damage{errors.New("the line is damaged: put the file back from a copy, or keep what is whole " +
	"with `concur runs repair`")}

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
// control characters. Lines that were cut by a power failure or a full disk, or mixed by two writers, are not.
// It takes a tenth of the time of json.Valid, and does not check values; later decoding does.
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

// stringEnd returns the index at which a string ends; -1 if it has no end or a control character comes first.
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

// place is where a line was written: its number in the file, whose first line is 1, and its number among the events of
// its trace in one session, from 1; 0 for other lines.
type place struct{ line, ofTrace int }

func (p place) String() string {
	if p.ofTrace > 0 {
		return fmt.Sprintf("%d.%d", p.line, p.ofTrace)
	}
	return strconv.Itoa(p.line)
}

// sums makes and verifies the checksums of a run's lines. In newer runs every line ends with its place and its
// checksum, `,"crc":"17.3-89abcdef"}`. The checksum covers the name of the run, the place and the line without
// this field, so a line that was copied to another run or moved to another place is detected. In older runs
// only records have a checksum, and it covers only the line.
type sums struct {
	run       string // the name of the run
	hasPlaces bool   // every line has its place
}

// sums returns the checksums of the run.
func (m Manifest) sums() sums { return sums{m.Run, m.Sums > 0} }

// sumField is the start of the last field of a line. maxTail is the maximum number of bytes from there to the
// end.
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
	sum := crc32.Checksum(fmt.Appendf(nil, "%s\n%s\n", s.run, p), castagnoli)
	return crc32.Update(sum, castagnoli, open)
}

// Errors of lines with a wrong or missing checksum.
var (
	errSum = errors.New("the line is not what was written, its checksum differs: the disk or an editor changed it, " +
		"or it is of another run")
	errNoSum = errors.New("the line has no checksum, and concur wrote one: another program changed it, or added it")
)

// sumTail matches the field of a checksum.
var sumTail = lazy.Compile(`^,"crc":"(?:(\d{1,18})(?:\.(\d{1,18}))?-)?([0-9a-f]{8})"}$`)

// split separates a line from its checksum. object is the rest of the line without its last bracket; sum is
// nil if the line has no checksum.
func split(line []byte) (object []byte, p place, sum []byte) {
	line = bytes.TrimRight(line, "\r\n")
	from := max(0, len(line)-maxTail)
	at := bytes.LastIndex(line[from:], []byte(sumField))
	if at < 0 {
		return line, p, nil
	}
	tail := sumTail.FindSubmatch(line[from+at:])
	if tail == nil {
		return line, p, nil
	}
	p.line, _ = strconv.Atoi(string(tail[1])) // digits, or an empty string
	p.ofTrace, _ = strconv.Atoi(string(tail[2]))
	return line[:from+at], p, tail[3]
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

// check verifies the checksum of a line and returns the place at which it was written. A line without a
// checksum has no place, which is an error in a run whose lines have places.
func (s sums) check(line []byte) (place, error) {
	object, p, sum := split(line)
	switch {
	case sum == nil && s.hasPlaces:
		return p, errNoSum
	case sum == nil:
		return p, nil
	case s.hasPlaces:
		if p.line == 0 || fmt.Sprintf("%08x", s.checksum(object, p)) != string(sum) {
			return place{}, errSum
		}
		return p, nil
	}
	whole := crc32.Update(crc32.Checksum(object, castagnoli), castagnoli, []byte("}"))
	if fmt.Sprintf("%08x", whole) != string(sum) {
		return place{}, errSum
	}
	return place{}, nil
}

// misplaced returns the error for a line that was written at a different place than where it was found.
func misplaced(written, stands int) error {
	switch {
	case written < stands:
		return fmt.Errorf("the line was written as line %d: it is here a second time, or out of its order", written)
	default:
		return fmt.Errorf("the line was written as line %d: lines before it are missing, or out of their order",
			written)
	}
}
