package external

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/seed-5817661a/concur/internal/process"
	"github.com/seed-5817661a/concur/internal/secret"
)

// HTTP asks a server by POST, which replies with status 200 and the reply as the body.
type HTTP struct {
	URL    string
	Keys   []string     // parts of URL that no error may show
	Client *http.Client // nil means http.DefaultClient
}

// Send posts the request.
func (h *HTTP) Send(ctx context.Context, r Request) ([]byte, error) {
	output, err := h.post(ctx, r)
	if err != nil && len(h.Keys) > 0 {
		err = errors.New(secret.New(h.Keys...).Hide(err.Error()))
	}
	return output, err
}

func (h *HTTP) post(ctx context.Context, r Request) ([]byte, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, h.URL, bytes.NewReader(r.line()))
	if err != nil {
		return nil, fmt.Errorf("ask the agent: %w", err)
	}
	request.Header.Set("Content-Type", "application/json")
	client := http.Client{}
	if h.Client != nil {
		client = *h.Client
	}
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse } // it would become a GET
	response, err := client.Do(request)
	if err != nil {
		return nil, fmt.Errorf("ask the agent: %w", err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(io.LimitReader(response.Body, maxOutput+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("read the reply of the agent at %s: %w", h.URL, err)
	case len(body) > maxOutput:
		return nil, fmt.Errorf("the agent at %s replied with more than %d MiB", h.URL, maxOutput>>20)
	case response.StatusCode != http.StatusOK:
		return nil, fmt.Errorf("the agent at %s replied %s: %s", h.URL, response.Status, strings.TrimSpace(process.Last(body, maxShown)))
	}
	return body, nil
}

// Close and Kill do nothing: the server is not ours.
func (h *HTTP) Close() error { return nil }

func (h *HTTP) Kill() {}
