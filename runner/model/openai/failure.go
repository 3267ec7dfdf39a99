package openai

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"

	"github.com/seed-5817661a/concur/internal/wire"
	"github.com/seed-5817661a/concur/runner/model"
)

// classify passes on what exchange said. All else is go-openai failing to read a reply.
func (m *Model) classify(err error) error {
	if e, ok := errors.AsType[*model.Error](err); ok {
		return e
	}
	return m.peer.Malformed("read the reply: " + err.Error())
}

// unreachable is a request without a reply. Of a proxy's refusal to connect, net/http keeps
// the text of the status alone.
func (m *Model) unreachable(ctx context.Context, err error) error {
	text := http.StatusText(http.StatusProxyAuthRequired)
	if e, ok := errors.AsType[*url.Error](err); ok && e.Err.Error() == text && ctx.Err() == nil {
		return m.peer.Fail(model.ErrAuth, "status 407 "+text+"; "+proxyAdvice, e.Err)
	}
	return m.peer.Unreachable(ctx, err)
}

// rejected is a reply that reports a failure.
func (m *Model) rejected(r wire.Reply) error {
	e := parseAPIError(r.Body)
	status := r.Status
	if e.status != 0 && status < 300 {
		status = e.status
	}
	kind := kindOf(status, e)
	return m.peer.Rejected(r, wire.Rejection{
		Kind: kind, Code: strings.Join(e.codes, ", "), Message: e.message,
		Advice: m.advice(status, kind, r),
	})
}
