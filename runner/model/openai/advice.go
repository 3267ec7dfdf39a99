package openai

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"

	"github.com/seed-5817661a/concur/internal/wire"
	"github.com/seed-5817661a/concur/runner/model"
)

// proxyAdvice is the way out where a proxy, not the endpoint, wants a login.
const proxyAdvice = "a proxy on the way wants a login: put user and password into HTTPS_PROXY, or name the host in NO_PROXY"

// advice is the way out of a rejection.
func (m *Model) advice(status int, kind model.ErrorKind, r wire.Reply) string {
	switch common := wire.Advice(kind); {
	case status == http.StatusProxyAuthRequired:
		return proxyAdvice
	case kind == model.ErrAuth:
		return m.endpoint.KeyHint()
	case common != "":
		return common
	case (status == http.StatusNotFound || status == http.StatusMethodNotAllowed) && isPage(r):
		return fmt.Sprintf("is %s right? a web page answers there, not an API; most addresses end in /v1", m.peer.Where())
	case status == http.StatusNotFound || status == http.StatusMethodNotAllowed:
		return fmt.Sprintf("is the model's name %q right, and is %s right?", m.name, m.peer.Where())
	default:
		return fmt.Sprintf("does model %q accept these settings and tools?", m.name)
	}
}

// isPage tells a web page from what an API answers.
func isPage(r wire.Reply) bool {
	return strings.Contains(r.Header.Get("Content-Type"), "html") || bytes.HasPrefix(bytes.TrimSpace(r.Body), []byte("<"))
}
