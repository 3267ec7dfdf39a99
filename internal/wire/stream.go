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

// BadStream describes the fault of a stream.
type BadStream string

func (e BadStream) Error() string { return string(e) }

// Failed is a stream that reports a failure in Body.
type Failed struct{ Body json.RawMessage }

func (e Failed) Error() string { return "the stream reports a failure" }

// ErrCut is a stream that ended before the reply was complete.
var ErrCut = errors.New("the stream broke off before the reply was complete")

// Fault classifies an error in the data of the last Next: a Failed and io.EOF are
// unchanged; data that was cut with the stream is ErrCut, everything else a BadStream.
func (e *Events) Fault(data []byte, err error) error {
	if err == nil {
		return nil
	}
	if _, failed := errors.AsType[Failed](err); failed || errors.Is(err, io.EOF) {
		return err
	}
	if e.cut && !json.Valid(data) {
		return ErrCut // within the last event
	}
	return BadStream(err.Error())
}

// BrokenStream is the error of a stream that ended with a BadStream, ErrCut or the body's
// own error.
func (p *Peer) BrokenStream(ctx context.Context, err error) error {
	if _, bad := errors.AsType[BadStream](err); bad {
		return p.Malformed("the stream cannot be read: " + p.Quote(err.Error()))
	}
	if errors.Is(err, ErrCut) {
		err = io.ErrUnexpectedEOF
	}
	return p.incompleteReply(ctx, err, ErrCut.Error())
}

// IsStream distinguishes a stream from a reply in one piece, which some endpoints send
// instead. If the type is unclear, the first byte decides.
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
