package wire

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"strings"
)

// EventStream is the media type of a stream.
const EventStream = "text/event-stream"

// BadStream says in which way a stream is none.
type BadStream string

func (e BadStream) Error() string { return string(e) }

// Failed is a stream that reports a failure; Body is what it says.
type Failed struct{ Body json.RawMessage }

func (e Failed) Error() string { return "the stream reports a failure" }

// ErrCut is a stream that ended before the reply did.
var ErrCut = errors.New("the stream broke off before the reply was complete")

// Fault sorts what a provider found wrong with the data that Next gave last: a Failed stays,
// as does io.EOF; data that broke off with the stream is ErrCut, and all else a BadStream.
func (e *Events) Fault(data []byte, err error) error {
	if err == nil {
		return nil
	}
	if _, failed := errors.AsType[Failed](err); failed || errors.Is(err, io.EOF) {
		return err
	}
	if e.cut && !json.Valid(data) {
		return ErrCut // amid the last event
	}
	return BadStream(err.Error())
}

// BrokenStream is the error of a stream that could not be read to its end for a BadStream,
// ErrCut or the body's own error. A Failed is the provider's to read.
func (p *Peer) BrokenStream(ctx context.Context, err error) error {
	if _, bad := errors.AsType[BadStream](err); bad {
		return p.Malformed("the stream cannot be read: " + p.Quote(err.Error()))
	}
	if errors.Is(err, ErrCut) {
		err = io.ErrUnexpectedEOF
	}
	return p.brokeOff(ctx, err, ErrCut.Error())
}

// IsStream tells a stream from a reply in one piece, which some endpoints send all the
// same. Where the type does not say, the first byte does.
func IsStream(contentType string, body *bufio.Reader) bool {
	kind, _, _ := mime.ParseMediaType(contentType)
	switch {
	case kind == EventStream:
		return true
	case strings.Contains(kind, "json") || strings.Contains(kind, "html"):
		return false
	}
	first, err := body.Peek(1)
	return err == nil && !strings.ContainsAny(string(first), "{[< \t\r\n")
}
