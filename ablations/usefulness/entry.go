package usefulness

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-5817661a/concur/internal/lines"
	"github.com/seed-5817661a/concur/model/gain"
	"github.com/seed-5817661a/concur/trace"
)

// Entry is a line of usefulness.jsonl: the gain of one call, or why it has none.
type Entry struct {
	Scorer string `json:"scorer"` // as it was named
	trace.ID
	Path   string `json:"path"`
	Call   int    `json:"call"` // its number among the calls of the trace, from 0
	CallID string `json:"call_id"`
	Tool   string `json:"tool"`
	// Digest is of the scorer, the texts around the call and the right answers. Equal digests have equal scores.
	Digest string `json:"digest"`
	// Gain and losses are in nats; nil if the gain is undefined.
	Gain       *float64 `json:"gain"`
	Loss       *float64 `json:"loss"`         // with the result
	LossNoCall *float64 `json:"loss_no_call"` // without the call
	LossEmpty  *float64 `json:"loss_empty"`   // with an empty result
	Weighed    int      `json:"weighed"`      // tokens that were weighed, up to 5; 0 if the gain is undefined
	// Tokens is the number of the scorer's tokens that the call and its result add to the conversation; nil if the
	// scorer does not count its tokens.
	Tokens    *int   `json:"tokens"`
	Undefined Reason `json:"undefined"`
}

// with returns the entry with these losses.
func (e Entry) with(l gain.Losses) Entry {
	worth := l.Gain()
	e.Gain, e.Loss, e.LossNoCall, e.LossEmpty, e.Weighed = &worth, &l.Result, &l.NoCall, &l.Empty, l.Tokens
	return e
}

// from returns the entry with the scores of another call that has the same texts.
func (e Entry) from(other Entry) Entry {
	e.Gain, e.Loss, e.LossNoCall, e.LossEmpty = other.Gain, other.Loss, other.LossNoCall, other.LossEmpty
	e.Weighed, e.Tokens, e.Undefined = other.Weighed, other.Tokens, other.Undefined
	return e
}

// check returns an error for an entry that this package does not write.
func (e Entry) check() error {
	if e.Undefined != "" {
		if e.Gain != nil || !slices.Contains(Reasons(), e.Undefined) {
			return fmt.Errorf("it has a gain and a reason for having none, or the unknown reason %q", e.Undefined)
		}
		return nil
	}
	if e.Gain == nil || e.Loss == nil || e.LossNoCall == nil || e.LossEmpty == nil {
		return errors.New("it has no gain")
	}
	l := gain.Losses{Result: *e.Loss, NoCall: *e.LossNoCall, Empty: *e.LossEmpty}
	if min(l.Result, l.NoCall, l.Empty) < 0 || math.Abs(l.Gain()-*e.Gain) > 1e-9 || e.Weighed < 1 ||
		e.Weighed > gain.MaxTokens {
		return errors.New("its numbers do not fit together")
	}
	return nil
}

// digestOf returns the key of the scores of a call.
func digestOf(version string, c Call, g Gold) string {
	h := sha256.New()
	write := func(text string) {
		fmt.Fprintf(h, "%d:", len(text))
		h.Write([]byte(text))
	}
	write(textsVersion + ending)
	write(version)
	write(c.text[:c.result])
	write(strconv.Itoa(c.before) + " " + strconv.Itoa(c.called))
	for _, a := range g.Answers {
		write(a)
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

const checksum = `,"crc":"`

// encode returns the line of an entry, with its checksum and a line break.
func (e Entry) encode() ([]byte, error) {
	line, err := lines.Encode(e)
	if err != nil {
		return nil, fmt.Errorf("encode a line of %s: %w", File, err)
	}
	sum := fmt.Sprintf("%08x", crc32.Checksum(line, castagnoli))
	return append(line[:len(line)-1], checksum+sum+"\"}\n"...), nil
}

// decode reads a line that encode wrote.
func decode(line []byte) (e Entry, err error) {
	text := strings.TrimSuffix(string(line), "\n")
	at := strings.LastIndex(text, checksum)
	if at < 0 || len(text) != at+len(checksum)+10 || !strings.HasSuffix(text, `"}`) {
		return e, errors.New("it has no checksum")
	}
	body := text[:at] + "}"
	if want := fmt.Sprintf("%08x", crc32.Checksum([]byte(body), castagnoli)); text[at+len(checksum):len(text)-2] != want {
		return e, errors.New("its checksum is wrong")
	}
	if err := json.Unmarshal([]byte(body), &e); err != nil {
		return e, err
	}
	return e, e.check()
}
