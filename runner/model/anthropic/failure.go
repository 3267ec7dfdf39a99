package anthropic

import (
	"fmt"
	"net/http"

	"github.com/seed-5817661a/concur/internal/wire"
	"github.com/seed-5817661a/concur/runner/model"
)

// rejected is a reply that reports a failure. A date to wait for counts from the reply's
// own alone.
func (m *Model) rejected(r wire.Reply) error {
	e := parseAPIError(r)
	kind := kindOf(r.Status, e)
	return m.peer.Rejected(r, wire.Rejection{
		Kind: kind, Code: e.kind, Message: e.message, Request: e.request,
		Advice: m.advice(r.Status, kind),
	})
}

// advice is the way out of a rejection.
func (m *Model) advice(status int, kind model.ErrorKind) string {
	switch common := wire.Advice(kind); {
	case kind == model.ErrAuth:
		return "set ANTHROPIC_API_KEY to a key that may use this model"
	case common != "":
		return common
	case status == http.StatusNotFound:
		return fmt.Sprintf("is the model's name %q right, and is %s right?", m.name, m.peer.Where())
	default:
		return fmt.Sprintf("does model %q accept these settings and tools? some take no temperature, or no forced tool", m.name)
	}
}
