package anthropic

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"unicode"

	"github.com/seed-5817661a/concur/runner/model"
)

// maxQuote is how much of an endpoint's words an error holds, in bytes.
const maxQuote = 300

// failure is what an error says and the cause that callers may look for.
type failure struct {
	text  string
	cause error
}

func (f failure) Error() string { return f.text }
func (f failure) Unwrap() error { return f.cause }

// fail makes the error that Complete returns. Every error passes here, and loses the key.
func (m *Model) fail(kind model.ErrorKind, f failure) *model.Error {
	f.text = m.key.hide("ask " + m.base.Host + ": " + f.text)
	if f.cause != nil && m.key.hide(f.cause.Error()) != f.cause.Error() {
		f.cause = nil // printed on its own it would show the key
	}
	return &model.Error{Kind: kind, Model: m.String(), Err: f}
}

func (m *Model) malformed(what string) error {
	return m.fail(model.ErrMalformed, failure{text: what + "; does ANTHROPIC_BASE_URL (" + m.base.String() + ") lead to an API that speaks Anthropic Messages?"})
}

// unreachable is a request without a reply.
func (m *Model) unreachable(ctx context.Context, err error) error {
	if e, ok := errors.AsType[*url.Error](err); ok {
		err = e.Err // its text repeats method and address
	}
	if stopped := m.stopped(ctx); stopped != nil {
		return stopped
	}
	if e, ok := errors.AsType[net.Error](err); ok && e.Timeout() {
		return m.fail(model.ErrTimeout, failure{err.Error() + "; is the network up, and is ANTHROPIC_BASE_URL right?", err})
	}
	text := err.Error()
	if errors.Is(err, io.EOF) {
		text = "the connection was closed without a reply"
	}
	return m.fail(model.ErrUnavailable, failure{text + "; is the endpoint up, and is ANTHROPIC_BASE_URL right?", err})
}

// brokeOff is a reply that began and did not arrive whole.
func (m *Model) brokeOff(ctx context.Context, err error, what string) error {
	if stopped := m.stopped(ctx); stopped != nil {
		return stopped
	}
	if !errors.Is(err, io.ErrUnexpectedEOF) {
		what += ": " + err.Error()
	}
	return m.fail(model.ErrUnavailable, failure{what + "; the endpoint or something on the way to it is at fault; try again later", err})
}

// stopped is a call whose context has ended; nil where it has not.
func (m *Model) stopped(ctx context.Context) error {
	switch cause := ctx.Err(); {
	case cause == nil:
		return nil
	case errors.Is(cause, context.Canceled):
		return m.fail(model.ErrCancelled, failure{"the call was cancelled before the reply was complete", cause})
	default:
		return m.fail(model.ErrTimeout, failure{fmt.Sprintf("no complete reply before the deadline; a call may take %v: allow more, or ask for less at a time", m.timeout), cause})
	}
}

// rejected is a reply that reports a failure.
func (m *Model) rejected(r reply) error {
	e := parseAPIError(r)
	status := r.status
	kind := kindOf(status, e)
	var text strings.Builder
	text.WriteString("status " + statusText(status))
	if e.kind != "" {
		text.WriteString(" (" + m.quote(e.kind) + ")")
	}
	switch {
	case e.message != "":
		text.WriteString(": " + m.quote(e.message))
	case len(r.body) > 0:
		text.WriteString(": the body begins " + m.quote(string(r.body)))
	}
	if after := r.header.Get("Retry-After"); after != "" {
		text.WriteString("; retry after " + m.quote(after))
	}
	if e.request != "" {
		text.WriteString("; request " + m.quote(e.request))
	}
	if to := r.header.Get("Location"); status >= 300 && status < 400 {
		text.WriteString("; it redirects to " + m.quote(to) + ", and redirects are not followed: point ANTHROPIC_BASE_URL there")
	} else {
		text.WriteString("; " + m.advice(status, kind))
	}
	failed := m.fail(kind, failure{text: text.String()})
	failed.RetryAfter = retryAfter(r.header)
	return failed
}

func statusText(status int) string {
	return strings.TrimSpace(fmt.Sprintf("%d %s", status, http.StatusText(status)))
}

// advice is the way out of a rejection.
func (m *Model) advice(status int, kind model.ErrorKind) string {
	switch kind {
	case model.ErrAuth:
		return "set ANTHROPIC_API_KEY to a key that may use this model"
	case model.ErrQuota:
		return "top up the account or raise its quota; waiting alone may not help"
	case model.ErrRateLimited:
		return "wait, or lower --concurrency"
	case model.ErrContextOverflow:
		return "shorten the conversation, or choose a model with a longer context"
	case model.ErrContentFilter:
		return "the provider's filter stopped it; only another text or provider passes"
	case model.ErrTimeout, model.ErrUnavailable:
		return "the endpoint is at fault; try again later"
	}
	if status == http.StatusNotFound {
		return fmt.Sprintf("is the model's name %q right, and is ANTHROPIC_BASE_URL (%s) right?", m.name, m.base)
	}
	return fmt.Sprintf("does model %q accept these settings and tools? some take no temperature, or no forced tool", m.name)
}

// describe names a reply by what can be seen of it.
func (m *Model) describe(r reply) string {
	if len(r.body) == 0 {
		return "status " + statusText(r.status) + ": the empty reply"
	}
	return fmt.Sprintf("status %s: the reply (%s) that begins %s", statusText(r.status), m.quote(r.header.Get("Content-Type")), m.quote(string(r.body)))
}

// quote makes an endpoint's words fit for one line: without the key, which goes before
// the text is cut so that no part of it stays, and without control characters.
func (m *Model) quote(text string) string {
	text = strings.Join(strings.Fields(m.key.hide(text)), " ")
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
