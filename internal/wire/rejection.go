package wire

import (
	"strings"
	"time"

	"github.com/seed-5817661a/concur/internal/pace"
	"github.com/seed-5817661a/concur/runner/model"
)

// Rejection is what a provider reads out of a reply that reports a failure. All texts but
// Advice are the endpoint's and may be empty.
type Rejection struct {
	Kind    model.ErrorKind
	Code    string
	Message string
	Request string // the id by which the provider finds the call
	Advice  string // the way out
}

// Rejected is a reply that reports a failure. For a redirect its target is the way out.
func (p *Peer) Rejected(r Reply, x Rejection) *model.Error {
	var text strings.Builder
	text.WriteString("status " + statusText(r.Status))
	if x.Code != "" {
		text.WriteString(" (" + p.Quote(x.Code) + ")")
	}
	switch {
	case x.Message != "":
		text.WriteString(": " + p.Quote(x.Message))
	case len(r.Body) > 0:
		text.WriteString(": the body begins " + p.Quote(string(r.Body)))
	}
	if after := r.Header.Get("Retry-After"); after != "" {
		text.WriteString("; retry after " + p.Quote(after))
	}
	if x.Request != "" {
		text.WriteString("; request " + p.Quote(x.Request))
	}
	if to := r.Header.Get("Location"); r.Status >= 300 && r.Status < 400 {
		text.WriteString("; it redirects to " + p.Quote(to) + ", and redirects are not followed: point " + p.Setting + " there")
	} else {
		text.WriteString("; " + x.Advice)
	}
	failed := p.Fail(x.Kind, text.String(), nil)
	failed.RetryAfter, _ = pace.RetryAfter(r.Header, time.Now())
	return failed
}
