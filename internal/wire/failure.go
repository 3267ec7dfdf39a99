package wire

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"

	"github.com/seed-5817661a/concur/runner/model"
)

// failure is an error's text, and the cause for callers.
type failure struct {
	text  string
	cause error
}

func (f failure) Error() string { return f.text }
func (f failure) Unwrap() error { return f.cause }

// Fail makes the error of a call from a text with a way out, and a cause that may be nil.
// It removes the key from every error.
func (p *Peer) Fail(kind model.ErrorKind, text string, cause error) *model.Error {
	f := failure{p.Key.Hide("ask " + p.Base.Host + ": " + text), cause}
	if cause != nil && p.Key.Hide(cause.Error()) != cause.Error() {
		f.cause = nil // its text would show the key
	}
	return &model.Error{Kind: kind, Model: p.Model, Err: f}
}

// Malformed is the error of a reply that does not follow the API.
func (p *Peer) Malformed(what string) error {
	return p.Fail(model.ErrMalformed, what+"; does "+p.Where()+" lead to "+p.API+"?", nil)
}

// Where is the address with the name of its setting.
func (p *Peer) Where() string { return fmt.Sprintf("%s (%s)", p.Setting, p.Base) }

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
		return p.Fail(model.ErrTimeout, err.Error()+"; is the network up, and is "+p.Setting+" right?", err)
	}
	text := err.Error()
	if errors.Is(err, io.EOF) {
		text = "the connection was closed without a reply"
	}
	return p.Fail(model.ErrUnavailable, text+"; is the endpoint up, and is "+p.Setting+" right?", err)
}

// incompleteReply is the error of a reply that did not arrive completely.
func (p *Peer) incompleteReply(ctx context.Context, err error, what string) error {
	if stopped := p.contextError(ctx); stopped != nil {
		return stopped
	}
	if !errors.Is(err, io.ErrUnexpectedEOF) {
		what += ": " + err.Error()
	}
	return p.Fail(model.ErrUnavailable, what+"; the endpoint or something on the way to it is at fault; try again later", err)
}

// contextError is the error of a call whose context has ended, else nil.
func (p *Peer) contextError(ctx context.Context) error {
	switch cause := ctx.Err(); {
	case cause == nil:
		return nil
	case errors.Is(cause, context.Canceled):
		return p.Fail(model.ErrCancelled, "the call was cancelled before the reply was complete", cause)
	default:
		return p.Fail(model.ErrTimeout, fmt.Sprintf("no complete reply before the deadline; a call may take %v: allow more, or ask for less at a time", p.Timeout), cause)
	}
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
