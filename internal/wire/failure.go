package wire

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"time"

	"github.com/seed-5817661a/concur/runner/model"
)

// Peer is the other side of a model's calls as errors speak of it. All fields are required.
type Peer struct {
	Model   string        // provider:model, for model.Error
	Base    *url.URL      // all that stands before the path of an API
	Setting string        // what sets Base, such as OPENAI_BASE_URL
	API     string        // what should answer there, such as "an OpenAI-compatible API"
	Key     Key           // is in no error
	KeyHint string        // says what to do about a key that is missing or refused
	Timeout time.Duration // of one call
}

// failure is what an error says and the cause that callers may look for.
type failure struct {
	text  string
	cause error
}

func (f failure) Error() string { return f.text }
func (f failure) Unwrap() error { return f.cause }

// Fail makes the error of a call from what it says, with a way out, and a cause that may be
// nil. Every error passes here, and loses the key.
func (p *Peer) Fail(kind model.ErrorKind, text string, cause error) *model.Error {
	f := failure{p.Key.Hide("ask " + p.Base.Host + ": " + text), cause}
	if cause != nil && p.Key.Hide(cause.Error()) != cause.Error() {
		f.cause = nil // printed on its own it would show the key
	}
	return &model.Error{Kind: kind, Model: p.Model, Err: f}
}

// Malformed is a reply that is none of the API's.
func (p *Peer) Malformed(what string) error {
	return p.Fail(model.ErrMalformed, what+"; does "+p.Where()+" lead to "+p.API+"?", nil)
}

// Where is the address with the name of what sets it.
func (p *Peer) Where() string { return fmt.Sprintf("%s (%s)", p.Setting, p.Base) }

// Unreachable is a request without a reply, and err what the HTTP client says of it.
func (p *Peer) Unreachable(ctx context.Context, err error) error {
	if e, ok := errors.AsType[*url.Error](err); ok {
		err = e.Err // its text repeats method and address
	}
	if stopped := p.stopped(ctx); stopped != nil {
		return stopped
	}
	// Of a proxy's refusal to connect, net/http keeps the text of the status alone.
	if text := http.StatusText(http.StatusProxyAuthRequired); err.Error() == text {
		return p.Fail(model.ErrAuth, "status 407 "+text+"; "+proxyAdvice, err)
	}
	if e, ok := errors.AsType[net.Error](err); ok && e.Timeout() {
		return p.Fail(model.ErrTimeout, err.Error()+"; is the network up, and is "+p.Setting+" right?", err)
	}
	text := err.Error()
	if errors.Is(err, io.EOF) {
		text = "the connection was closed without a reply"
	}
	return p.Fail(model.ErrUnavailable, text+"; is the endpoint up, and is "+p.Setting+" right?", err)
}

// brokeOff is a reply that began and did not arrive whole.
func (p *Peer) brokeOff(ctx context.Context, err error, what string) error {
	if stopped := p.stopped(ctx); stopped != nil {
		return stopped
	}
	if !errors.Is(err, io.ErrUnexpectedEOF) {
		what += ": " + err.Error()
	}
	return p.Fail(model.ErrUnavailable, what+"; the endpoint or something on the way to it is at fault; try again later", err)
}

// stopped is a call whose context has ended; nil where it has not.
func (p *Peer) stopped(ctx context.Context) error {
	switch cause := ctx.Err(); {
	case cause == nil:
		return nil
	case errors.Is(cause, context.Canceled):
		return p.Fail(model.ErrCancelled, "the call was cancelled before the reply was complete", cause)
	default:
		return p.Fail(model.ErrTimeout, fmt.Sprintf("no complete reply before the deadline; a call may take %v: allow more, or ask for less at a time", p.Timeout), cause)
	}
}
