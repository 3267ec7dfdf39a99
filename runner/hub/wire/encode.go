package wire

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"github.com/klauspost/compress/zstd"

	"github.com/seed-5817661a/concur/internal/lines"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

// MaxContent is the maximum size of a delivery's lines in bytes, before compression. A message can be small and
// its lines still large, so readers stop at this size.
const MaxContent = 64 << 20

// maxParts is the maximum number of parts of a delivery: enough for incompressible lines of MaxContent with the
// smallest part.
const maxParts = MaxContent/leastPart + 1

// leastPart is the minimum size of a part in bytes. A hub with less room for a message is refused.
const leastPart = 32 << 10

// errEnded means that a line was added after Messages.
var errEnded = errors.New("the delivery has ended")

// ErrTooLarge means that a trace has more than MaxContent bytes of lines.
var ErrTooLarge = fmt.Errorf("the trace has more than %d MiB of lines: make the agent write less", MaxContent>>20)

// Part is one part of a compressed delivery.
type Part struct {
	PartHead
	Data []byte `json:"-"`
}

// PartHead is the first line of a message with a part.
type PartHead struct {
	Schema string `json:"schema"`
	trace.ID
	Worker string `json:"worker"`
	Part   int    `json:"part"`   // from 0
	Parts  int    `json:"parts"`  // number of parts of the delivery
	SHA256 string `json:"sha256"` // of all parts together, in hexadecimal
}

// Encode returns the messages of the delivery. Each message has at most most bytes.
func (d Delivery) Encode(most int) ([][]byte, error) {
	e := NewEncoder(d.ID, d.Worker)
	for _, l := range d.Lines {
		e.add(l)
	}
	return e.Messages(most)
}

// Encoder makes the messages of a delivery, line by line. It keeps only the compressed lines. It is a runner.Buffer.
type Encoder struct {
	id     trace.ID
	worker string
	out    bytes.Buffer
	zip    *zstd.Encoder
	known  map[string]bool // names of settings
	size   int64
	end    *trace.Conclusion
	err    error
}

// NewEncoder returns an Encoder for a trace.
func NewEncoder(id trace.ID, worker string) *Encoder {
	e := &Encoder{id: id, worker: worker, known: map[string]bool{}}
	if unused, is := zips.Get().(*zstd.Encoder); is {
		e.zip = unused
		e.zip.Reset(&e.out)
		return e
	}
	e.zip, e.err = zstd.NewWriter(&e.out, zstd.WithEncoderConcurrency(1), zstd.WithLowerEncoderMem(true),
		zstd.WithWindowSize(window), zstd.WithEncoderLevel(zstd.SpeedFastest))
	return e
}

// zips has encoders of traces that have ended. Each has tables of several hundred KB, which a short trace would
// otherwise make and leave to the garbage collector.
var zips sync.Pool

// window is how far back compressed lines refer to earlier ones, in bytes. Each trace of a worker has one.
const window = 512 << 10

// Exchange adds an exchange.
func (e *Encoder) Exchange(x store.Exchange) { e.add(Line{Exchange: &x}) }

// Event adds an event.
func (e *Encoder) Event(event trace.Event) { e.add(Line{Event: &event}) }

// Written returns the size of the lines in bytes, before compression.
func (e *Encoder) Written() int64 { return e.size }

// End returns the end of the trace; nil before it.
func (e *Encoder) End() *trace.Conclusion { return e.end }

func (e *Encoder) add(l Line) {
	if e.err != nil {
		return
	}
	if end, is := endOf(l); is {
		e.end = &end
	}
	if l.Exchange != nil {
		l.Exchange = nameSettings(*l.Exchange, e.known)
	}
	line, err := lines.Encode(l)
	if err != nil {
		e.err = fmt.Errorf("encode a line of trace %d of %.60q: %w", e.id.Trace, e.id.Query, err)
		return
	}
	if e.size += int64(len(line)) + 1; e.size > MaxContent {
		e.err = ErrTooLarge
		return
	}
	_, e.err = e.zip.Write(append(line, '\n'))
}

// Messages returns the messages, and ends the Encoder. Each message has at most most bytes.
func (e *Encoder) Messages(most int) ([][]byte, error) {
	if e.err == nil {
		e.err = e.zip.Close()
	}
	if e.err != nil {
		return nil, e.err
	}
	e.zip.Reset(nil)
	zips.Put(e.zip)
	e.zip, e.err = nil, errEnded
	whole := e.out.Bytes()
	sum := sha256.Sum256(whole)
	head := PartHead{Schema: DeliverySchema, ID: e.id, Worker: e.worker, SHA256: hex.EncodeToString(sum[:]),
		Part: maxParts, Parts: maxParts}
	room := most - len(encode(head)) - 1
	if room < leastPart/2 {
		return nil, fmt.Errorf("the hub accepts messages of %d bytes, which is too few: give it a larger max_payload", most)
	}
	head.Parts = max(1, (len(whole)+room-1)/room)
	out := make([][]byte, head.Parts)
	for i := range out {
		head.Part = i
		data := whole[i*room : min((i+1)*room, len(whole))]
		out[i] = append(append(encode(head), '\n'), data...)
	}
	return out, nil
}

// nameSettings replaces the settings of an exchange by their name, as in chat.jsonl, except when they occur for the
// first time.
func nameSettings(x store.Exchange, known map[string]bool) *store.Exchange {
	raw, err := json.Marshal(x.RequestSettings)
	if err != nil || x.RequestSettings == nil { // encoding the exchange reports the error
		return &x
	}
	sum := sha256.Sum256(raw)
	x.Settings = hex.EncodeToString(sum[:6])
	if known[x.Settings] {
		x.RequestSettings = nil
	}
	known[x.Settings] = true
	return &x
}
