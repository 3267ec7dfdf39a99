package wire

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"unicode"

	"github.com/seed-5817661a/concur/model"
)

// MaxBody is the maximum size in bytes of the body of a reply. maxErrorBody is the maximum for a failed reply.
const (
	MaxBody      = 16 << 20
	maxErrorBody = 64 << 10
)

// maxQuote limits an endpoint's text in an error, in bytes.
const maxQuote = 300

// Reply is an HTTP reply.
type Reply struct {
	Status int
	Header http.Header
	Body   []byte
}

// ErrorReply reads a reply with a failure status. It ignores errors while reading the body, because the
// status is enough.
func ErrorReply(resp *http.Response) Reply {
	raw, _ := io.ReadAll(io.LimitReader(resp.Body, maxErrorBody))
	return Reply{resp.StatusCode, resp.Header, raw}
}

// ReadWhole reads the body of a successful reply that comes in one piece.
func (p *Peer) ReadWhole(ctx context.Context, body io.Reader) ([]byte, error) {
	raw, err := io.ReadAll(io.LimitReader(body, MaxBody+1))
	switch {
	case err != nil:
		return nil, p.incompleteReply(ctx, err, fmt.Sprintf("the reply was cut off after %d bytes", len(raw)))
	case len(raw) > MaxBody:
		return nil, p.Malformed(fmt.Sprintf("the reply is longer than %d bytes", MaxBody))
	}
	return raw, nil
}

// Describe describes a reply by its status, type and beginning.
func (p *Peer) Describe(r Reply) string {
	if len(r.Body) == 0 {
		return "status " + statusText(r.Status) + ": the empty reply"
	}
	kind := p.Quote(r.Header.Get("Content-Type"))
	if kind == "" {
		kind = "without a Content-Type"
	}
	return fmt.Sprintf("status %s: the reply (%s) that begins %s", statusText(r.Status), kind, p.Quote(string(r.Body)))
}

func statusText(status int) string {
	return strings.TrimSpace(fmt.Sprintf("%d %s", status, http.StatusText(status)))
}

// Quote makes an endpoint's text printable on one line. It removes control characters, and then the key,
// before it cuts the text.
func (p *Peer) Quote(text string) string {
	text = strings.Join(strings.Fields(p.Key.Hide(text)), " ")
	text = strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return -1
	}, text)
	if len(text) > maxQuote {
		text = strings.ToValidUTF8(text[:maxQuote], "") + " …"
	}
	return text
}

// failure is the error of a call for people, with its cause for programs.
type failure struct {
	text   string
	advice string // the advised action; "" if it is in text
	cause  error
	// doubtsModel means that the model's name or the address may be wrong, so the endpoint's list of models may
	// help.
	doubtsModel bool
	field       string // the field that the endpoint refused and that may be omitted; "" without one
}

func (f failure) Error() string {
	if f.advice == "" {
		return f.text
	}
	return f.text + "; " + f.advice
}

func (f failure) Unwrap() error { return f.cause }

// Fail returns the error of a call. text ends with an action; cause may be nil. Fail removes the key from the
// text.
func (p *Peer) Fail(kind model.ErrorKind, text string, cause error) *model.Error {
	return p.fail(kind, failure{text: text, cause: cause})
}

func (p *Peer) fail(kind model.ErrorKind, f failure) *model.Error {
	f.text, f.advice = p.Key.Hide("ask "+p.Base.Host+": "+f.text), p.Key.Hide(f.advice)
	if f.cause != nil && p.Key.Hide(f.cause.Error()) != f.cause.Error() {
		f.cause = nil // the cause's text contains the key
	}
	return &model.Error{Kind: kind, Model: p.Name, Err: f}
}

// Malformed returns the error of a reply that does not follow the API.
func (p *Peer) Malformed(what string) error {
	return p.Fail(model.ErrMalformed, what+"; check that "+p.Where()+" leads to "+p.API, nil)
}

// Where returns the name of the setting of the address, and the address.
func (p *Peer) Where() string { return fmt.Sprintf("%s (%s)", p.Endpoint.AddressHint(), p.Base) }

// Unreachable returns the error of a request without a reply; err comes from the HTTP client.
func (p *Peer) Unreachable(ctx context.Context, err error) error {
	if e, ok := errors.AsType[*url.Error](err); ok {
		err = e.Err // the outer error's text repeats method and address
	}
	if stopped := p.contextError(ctx); stopped != nil {
		return stopped
	}
	// If a proxy refuses to connect, net/http keeps only the text of the status.
	if text := http.StatusText(http.StatusProxyAuthRequired); err.Error() == text {
		return p.Fail(model.ErrAuth, "status 407 "+text+"; "+proxyAdvice, err)
	}
	if e, ok := errors.AsType[net.Error](err); ok && e.Timeout() {
		return p.Fail(model.ErrTimeout, err.Error()+"; check the network and "+p.Endpoint.AddressHint()+"",
			err)
	}
	text := err.Error()
	if errors.Is(err, io.EOF) {
		text = "the connection was closed without a reply"
	}
	return p.Fail(model.ErrUnavailable, text+"; check that the endpoint is up, and "+p.Endpoint.AddressHint()+"", err)
}

// incompleteReply returns the error of a reply that did not arrive completely.
func (p *Peer) incompleteReply(ctx context.Context, err error, what string) error {
	if stopped := p.contextError(ctx); stopped != nil {
		return stopped
	}
	if !errors.Is(err, io.ErrUnexpectedEOF) {
		what += ": " + err.Error()
	}
	return p.Fail(model.ErrUnavailable, what+"; the endpoint or the network is at fault; try again "+
		"later", err)
}

// contextError returns the error of a call whose context has ended; nil if it has not.
func (p *Peer) contextError(ctx context.Context) error {
	switch cause := ctx.Err(); {
	case cause == nil:
		return nil
	case errors.Is(cause, context.Canceled):
		return p.Fail(model.ErrCancelled, "the call was cancelled before the reply was complete", cause)
	default:
		return p.Fail(model.ErrTimeout, fmt.Sprintf("no complete reply before the deadline; the limit is %v: "+
			"raise it, or ask for a shorter reply", p.Timeout), cause)
	}
}

// BrokenStream returns the error of a stream that ended with a BadStream, ErrCut or an error of the body.
func (p *Peer) BrokenStream(ctx context.Context, err error) error {
	if _, bad := errors.AsType[BadStream](err); bad {
		return p.Malformed("the stream cannot be read: " + p.Quote(err.Error()))
	}
	if errors.Is(err, ErrCut) {
		err = io.ErrUnexpectedEOF
	}
	return p.incompleteReply(ctx, err, ErrCut.Error())
}

// NoOutput is the content of a tool message that would otherwise be empty, because some endpoints refuse an
// empty content.
const NoOutput = "(no output)"

// Present reports whether a JSON value exists and is not null.
func Present(raw json.RawMessage) bool {
	raw = bytes.TrimSpace(raw)
	return len(raw) > 0 && !bytes.Equal(raw, []byte("null"))
}

// Words returns the text of a JSON string, and any other value as written; "" for a missing value.
func Words(raw json.RawMessage) string {
	var s string
	if !Present(raw) || json.Unmarshal(raw, &s) == nil {
		return s
	}
	return string(raw)
}

// Count is a number of tokens in any form that servers use: a number, with or without a fraction, or a text.
// Anything else is read as 0, because a reply must not be lost for a wrong usage.
type Count int

// UnmarshalJSON reads the count.
func (c *Count) UnmarshalJSON(raw []byte) error {
	*c = 0
	n, err := strconv.ParseFloat(strings.Trim(string(raw), `" `), 64)
	if err == nil && n > 0 {
		*c = Count(min(n, maxCount))
	}
	return nil
}

// maxCount is the maximum number of tokens; a larger one is an error of the endpoint.
const maxCount = 1 << 32

// spare is the number of levels that a request or record adds to the nesting of a part of a reply.
const spare = 64

// Nests reports whether a JSON value is nested little enough to be put in a request or record: encoding/json
// allows 10,000 levels.
func Nests(value string) bool {
	return json.Valid([]byte(strings.Repeat("[", spare) + value + strings.Repeat("]", spare)))
}
