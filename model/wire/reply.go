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

// MaxBody limits a reply, maxErrorBody an error's body, in bytes.
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

// ErrorReply reads a reply with a status of failure. The status is enough if the rest of the body does not arrive.
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

// Describe names a reply by status, type and beginning.
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

// Quote makes an endpoint's text printable on one line, without control characters and
// without the key, which is removed before the text is cut.
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

// failure is an error's text, and the cause for callers.
type failure struct {
	text   string
	advice string // the way out; "" if text has it
	cause  error
	// doubtsModel: the model's name or the address may be wrong, which the endpoint's list of models may show.
	doubtsModel bool
	field       string // that the endpoint refuses and that may be left out; "" for none
}

func (f failure) Error() string {
	if f.advice == "" {
		return f.text
	}
	return f.text + "; " + f.advice
}

func (f failure) Unwrap() error { return f.cause }

// Fail makes the error of a call from a text with a way out, and a cause that may be nil.
// It removes the key from every error.
func (p *Peer) Fail(kind model.ErrorKind, text string, cause error) *model.Error {
	return p.fail(kind, failure{text: text, cause: cause})
}

func (p *Peer) fail(kind model.ErrorKind, f failure) *model.Error {
	f.text, f.advice = p.Key.Hide("ask "+p.Base.Host+": "+f.text), p.Key.Hide(f.advice)
	if f.cause != nil && p.Key.Hide(f.cause.Error()) != f.cause.Error() {
		f.cause = nil // its text would show the key
	}
	return &model.Error{Kind: kind, Model: p.Name, Err: f}
}

// Malformed is the error of a reply that does not follow the API.
func (p *Peer) Malformed(what string) error {
	return p.Fail(model.ErrMalformed, what+"; does "+p.Where()+" lead to "+p.API+"?", nil)
}

// Where is the address with the name of its setting.
func (p *Peer) Where() string { return fmt.Sprintf("%s (%s)", p.Endpoint.AddressHint(), p.Base) }

// Unreachable is the error of a request without a reply; err is that of the HTTP client.
func (p *Peer) Unreachable(ctx context.Context, err error) error {
	if e, ok := errors.AsType[*url.Error](err); ok {
		err = e.Err // its text repeats method and address
	}
	if stopped := p.contextError(ctx); stopped != nil {
		return stopped
	}
	// If a proxy refuses to connect, net/http only keeps the text of the status.
	if text := http.StatusText(http.StatusProxyAuthRequired); err.Error() == text {
		return p.Fail(model.ErrAuth, "status 407 "+text+"; "+proxyAdvice, err)
	}
	if e, ok := errors.AsType[net.Error](err); ok && e.Timeout() {
		return p.Fail(model.ErrTimeout, err.Error()+"; is the network up, and is "+p.Endpoint.AddressHint()+" right?",
			err)
	}
	text := err.Error()
	if errors.Is(err, io.EOF) {
		text = "the connection was closed without a reply"
	}
	return p.Fail(model.ErrUnavailable, text+"; is the endpoint up, and is "+p.Endpoint.AddressHint()+" right?", err)
}

// incompleteReply is the error of a reply that did not arrive completely.
func (p *Peer) incompleteReply(ctx context.Context, err error, what string) error {
	if stopped := p.contextError(ctx); stopped != nil {
		return stopped
	}
	if !errors.Is(err, io.ErrUnexpectedEOF) {
		what += ": " + err.Error()
	}
	return p.Fail(model.ErrUnavailable, what+"; the endpoint or something on the way to it is at fault; try again "+
		"later", err)
}

// contextError is the error of a call whose context has ended, else nil.
func (p *Peer) contextError(ctx context.Context) error {
	switch cause := ctx.Err(); {
	case cause == nil:
		return nil
	case errors.Is(cause, context.Canceled):
		return p.Fail(model.ErrCancelled, "the call was cancelled before the reply was complete", cause)
	default:
		return p.Fail(model.ErrTimeout, fmt.Sprintf("no complete reply before the deadline; a call may take %v: "+
			"allow more, or ask for less at a time", p.Timeout), cause)
	}
}

// BrokenStream is the error of a stream that ended with a BadStream, ErrCut or the body's own error.
func (p *Peer) BrokenStream(ctx context.Context, err error) error {
	if _, bad := errors.AsType[BadStream](err); bad {
		return p.Malformed("the stream cannot be read: " + p.Quote(err.Error()))
	}
	if errors.Is(err, ErrCut) {
		err = io.ErrUnexpectedEOF
	}
	return p.incompleteReply(ctx, err, ErrCut.Error())
}

// NoOutput is sent for a tool message without content, which some endpoints refuse.
const NoOutput = "(no output)"

// Present reports whether a JSON value is there and not null.
func Present(raw json.RawMessage) bool {
	raw = bytes.TrimSpace(raw)
	return len(raw) > 0 && !bytes.Equal(raw, []byte("null"))
}

// Words is a JSON string, or any other value as written; "" for a missing value.
func Words(raw json.RawMessage) string {
	var s string
	if !Present(raw) || json.Unmarshal(raw, &s) == nil {
		return s
	}
	return string(raw)
}

// Count is a number of tokens as servers write it: a number, with a fraction or not, or a text. What is no number is 0,
// because a reply is not lost for its usage.
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

// maxCount is above the tokens of any call; a larger figure is a fault of the endpoint.
const maxCount = 1 << 32

// Tokens limits a count from an endpoint to possible values.
func Tokens(n int) int { return min(max(n, 0), maxCount) }

// spare is the additional nesting of a reply's part in a request or record.
const spare = 64

// Nests reports whether a JSON value can be nested there: encoding/json allows 10,000 levels.
func Nests(value string) bool {
	return json.Valid([]byte(strings.Repeat("[", spare) + value + strings.Repeat("]", spare)))
}
