package wire

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/klauspost/compress/zstd"

	"github.com/seed-5817661a/concur/internal/lines"
	"github.com/seed-5817661a/concur/runner/store"
)

// ReadPart reads a message with a part. Data is a part of the message, and not a copy.
func ReadPart(message []byte) (p Part, err error) {
	line, data, found := bytes.Cut(message, []byte{'\n'})
	if !found {
		return p, fmt.Errorf("%w: it has no first line", ErrForm)
	}
	if err := json.Unmarshal(line, &p.PartHead); err != nil {
		return p, fmt.Errorf("%w: %w", ErrForm, err)
	}
	if sum, err := hex.DecodeString(p.SHA256); err != nil || len(sum) != sha256.Size {
		return p, fmt.Errorf("%w: its SHA-256 is %.80q", ErrForm, p.SHA256)
	}
	switch {
	case p.Schema != DeliverySchema:
		return p, fmt.Errorf("%w: its schema is %.60q, want %s", ErrForm, p.Schema, DeliverySchema)
	case p.Parts < 1 || p.Parts > maxParts || p.Part < 0 || p.Part >= p.Parts:
		return p, fmt.Errorf("%w: it is part %d of %d", ErrForm, p.Part, p.Parts)
	}
	p.Data = data
	return p, nil
}

// Decoder reads deliveries one by one, with one buffer for all of them. It is safe for concurrent use; the zero
// value is ready to use.
type Decoder struct {
	mu    sync.Mutex
	unzip *zstd.Decoder
	in    *bufio.Reader
	line  []byte
}

// keptLine is the size in bytes of the longest line whose memory the Decoder keeps for the next delivery.
const keptLine = 1 << 20

// maxWindow is the maximum memory in bytes that compressed data may demand for references to earlier data.
const maxWindow = 8 << 20

// Decode reads a delivery. head is the first line of one of its parts, and whole returns all parts in order. Decode
// calls whole twice: to check the hash, and to read the lines. The delivery is not checked otherwise: see Check.
func (d *Decoder) Decode(head PartHead, whole func() io.Reader) (Delivery, error) {
	out := Delivery{ID: head.ID, Worker: head.Worker}
	digest := sha256.New()
	if _, err := io.Copy(digest, whole()); err != nil {
		return out, fmt.Errorf("read a delivery: %w", err)
	}
	if found := hex.EncodeToString(digest.Sum(nil)); found != head.SHA256 {
		return out, fmt.Errorf("%w: its SHA-256 is %.12s…, and %.12s… was announced", ErrForm, found, head.SHA256)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.open(whole()); err != nil {
		return out, err
	}
	settings := map[string]*store.RequestSettings{}
	for left := MaxContent; ; {
		line, err := d.next(&left)
		if err == io.EOF {
			return out, nil
		}
		var l Line
		if err == nil {
			err = lines.Decode(line, &l)
		}
		if err == nil && (l.Event == nil) == (l.Exchange == nil) { // an empty line takes more memory than it has bytes
			err = errors.New("it must be either an event or an exchange")
		}
		if err != nil {
			return out, fmt.Errorf("%w: line %d: %w", ErrForm, len(out.Lines)+1, err)
		}
		if x := l.Exchange; x != nil && x.RequestSettings != nil {
			settings[x.Settings] = x.RequestSettings
		} else if x != nil {
			x.RequestSettings = settings[x.Settings]
		}
		out.Lines = append(out.Lines, l)
	}
}

// open begins to read compressed data.
func (d *Decoder) open(from io.Reader) (err error) {
	if d.unzip == nil {
		d.unzip, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true),
			zstd.WithDecoderMaxWindow(maxWindow))
		d.in = bufio.NewReaderSize(nil, 64<<10)
	}
	if err == nil {
		err = d.unzip.Reset(from)
	}
	if err != nil {
		return fmt.Errorf("%w: %w", ErrForm, err)
	}
	d.in.Reset(d.unzip)
	return nil
}

// next returns the next line, which is valid until the next call, and io.EOF after the last. left is the number of
// bytes that may still be read. A line that cannot be JSON is refused at its first byte.
func (d *Decoder) next(left *int) ([]byte, error) {
	if cap(d.line) > keptLine {
		d.line = nil
	}
	d.line = d.line[:0]
	for {
		part, err := d.in.ReadSlice('\n')
		if *left -= len(part); *left < 0 {
			return nil, fmt.Errorf("the delivery has more than %d MiB of lines", MaxContent>>20)
		}
		d.line = append(d.line, part...)
		if len(d.line) > 0 && d.line[0] != '{' {
			return nil, errors.New("it is not an object of JSON")
		}
		switch {
		case err == nil:
			return d.line[:len(d.line)-1], nil
		case err == io.EOF && len(d.line) > 0:
			return nil, errors.New("it is cut off")
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, err
		}
	}
}
