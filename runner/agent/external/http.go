package external

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"html"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/seed-5817661a/concur/internal/lazy"
	"github.com/seed-5817661a/concur/internal/process"
	"github.com/seed-5817661a/concur/internal/secret"
)

// maxShown is the maximum size in bytes of an agent's reply in an error or the log.
const maxShown = 600

// HTTP sends requests to a server by POST. The server answers with status 200, and with the reply as the body.
type HTTP struct {
	URL   string
	Hider *secret.Hider // removes secret parts of URL from errors; may be nil
	// Patience is how long requests wait for a server that does not listen yet, because it is still starting. The
	// time begins at the first refused connection, and again after each reply. 0 means not at all.
	Patience time.Duration
	// Warn, if not nil, is called when requests begin to wait.
	Warn func(text string)

	mu      sync.Mutex
	refused time.Time // of the first refused connection since the last reply, or zero
}

// refusals are the errors for a refused connection; the second is that of Windows.
var refusals = []error{syscall.ECONNREFUSED, syscall.Errno(10061)}

// isRefused reports whether no server listens at an address.
func isRefused(err error) bool {
	return slices.ContainsFunc(refusals, func(refusal error) bool { return errors.Is(err, refusal) })
}

// pause is the time between two attempts to connect to a server that does not listen yet.
const pause = 100 * time.Millisecond

// Send posts the request.
func (h *HTTP) Send(ctx context.Context, r Request) ([]byte, error) {
	output, err := h.post(ctx, r)
	return output, h.Hider.Error(err)
}

func (h *HTTP) post(ctx context.Context, r Request) ([]byte, error) {
	response, err := h.do(ctx, r)
	if err != nil {
		return nil, h.unreached(err)
	}
	defer response.Body.Close()
	out := &output{}
	defer out.close()
	_, err = io.Copy(out, response.Body)
	if out.over {
		return nil, fmt.Errorf("the agent at %s replied with more than %d MiB", h.URL, maxOutput>>20)
	}
	if err != nil && ctx.Err() == nil {
		return nil, fmt.Errorf("the agent at %s broke off its reply: %w; see the log of the agent", h.URL, err)
	}
	var body []byte
	if err == nil {
		body, err = out.bytes(ctx)
	}
	switch {
	case err != nil:
		return nil, fmt.Errorf("read the reply of the agent at %s: %w", h.URL, err)
	case response.StatusCode != http.StatusOK:
		// The keys are hidden first, because a cut key would not be found.
		return nil, h.rejected(response, h.Hider.Hide(string(body)))
	}
	return body, nil
}

// do sends the request. While the server refuses connections, it tries again within the patience: a request that
// was not delivered may be repeated.
func (h *HTTP) do(ctx context.Context, r Request) (*http.Response, error) {
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse // a redirect would turn into a GET
	}}
	for {
		request, err := http.NewRequestWithContext(ctx, http.MethodPost, h.URL, bytes.NewReader(r.line()))
		if err != nil {
			return nil, err
		}
		request.Header.Set("Content-Type", "application/json")
		if r.Traceparent != "" {
			request.Header.Set("traceparent", r.Traceparent)
		}
		response, err := client.Do(request)
		if !isRefused(err) {
			h.mu.Lock()
			h.refused = time.Time{}
			h.mu.Unlock()
			return response, err
		}
		if !h.mayStillStart() {
			return nil, err
		}
		select {
		case <-ctx.Done():
			return nil, err
		case <-time.After(pause):
		}
	}
}

// mayStillStart reports whether to try again after a refused connection.
func (h *HTTP) mayStillStart() bool {
	h.mu.Lock()
	first := h.refused.IsZero()
	if first {
		h.refused = time.Now()
	}
	wait := time.Since(h.refused) < h.Patience
	h.mu.Unlock()
	if first && wait && h.Warn != nil {
		h.Warn(h.Hider.Hide(fmt.Sprintf("no server listens at %s yet; waiting up to %s for the agent to start",
			h.URL, h.Patience)))
	}
	return wait
}

// unreached explains why a request got no reply, and what the user can do.
func (h *HTTP) unreached(err error) error {
	_, unknown := errors.AsType[*net.DNSError](err)
	switch {
	case isRefused(err):
		return fmt.Errorf("no server listens at %s (connection refused): start the agent, or correct agent.http", h.URL)
	case unknown:
		return fmt.Errorf("the host of the agent at %s was not found: correct agent.http", h.URL)
	case errors.Is(err, io.EOF), errors.Is(err, syscall.ECONNRESET):
		return fmt.Errorf("the agent at %s closed the connection without a reply: see the log of the agent", h.URL)
	}
	return fmt.Errorf("ask the agent: %w", err)
}

// rejected explains a status other than 200. body is the reply without keys.
func (h *HTTP) rejected(response *http.Response, body string) error {
	said := process.LastBytes([]byte(strings.TrimSpace(body)), maxShown)
	if is, title := webPage([]byte(body)); is {
		said = "a web page" + title
	}
	out := fmt.Sprintf("the agent at %s replied %s", h.URL, response.Status)
	if said != "" {
		out += ": " + said
	}
	switch status := response.StatusCode; {
	case status >= 300 && status < 400:
		out += fmt.Sprintf("; redirects are not followed: write the address %q as agent.http",
			h.Hider.Hide(response.Header.Get("Location")))
	case status == http.StatusNotFound, status == http.StatusMethodNotAllowed, status == http.StatusNotImplemented:
		out += "; check the path in agent.http, to which concur sends a POST"
	}
	return errors.New(out)
}

// title matches the title of a web page.
var title = lazy.Compile(`(?is)<title[^>]*>\s*(.{0,80}?)\s*</title>`)

// webPage reports whether a reply is a web page, and returns its title as ` titled "…"`; "" if it has none.
func webPage(body []byte) (is bool, titled string) {
	start := strings.ToLower(string(bytes.TrimSpace(body[:min(len(body), 1000)])))
	if !strings.HasPrefix(start, "<!doctype html") && !strings.HasPrefix(start, "<html") {
		return false, ""
	}
	if found := title.FindSubmatch(body); found != nil {
		titled = fmt.Sprintf(" titled %q", html.UnescapeString(string(found[1])))
	}
	return true, titled
}

// unreadable explains why the body of a reply with status 200 is no reply.
func (h *HTTP) unreadable(body []byte) error { return h.Hider.Error(h.noReply(body)) }

func (h *HTTP) noReply(body []byte) error {
	if len(bytes.TrimSpace(body)) == 0 {
		return fmt.Errorf(`the agent at %s replied with an empty body: let it send {"message": "…"}`, h.URL)
	}
	if is, titled := webPage(body); is {
		return fmt.Errorf(`the agent at %s replied with a web page%s: correct agent.http, or let it send `+
			`{"message": "…"}`, h.URL, titled)
	}
	of := "the reply of the agent at " + h.URL
	return noReply(body, replyWords{reply: of, output: of, send: "send"})
}

// Close and Kill do nothing, because concur does not run the server.
func (h *HTTP) Close() error { return nil }

func (h *HTTP) Kill() {}
