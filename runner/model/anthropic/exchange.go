package anthropic

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"

	"github.com/seed-5817661a/concur/runner/model"
)

// maxBody caps what is read of a reply, maxErrorBody what is read of an error.
const (
	maxBody      = 16 << 20
	maxErrorBody = 64 << 10
)

// apiVersion is the version of the wire that this package speaks.
const apiVersion = "2023-06-01"

// reply is what came over HTTP.
type reply struct {
	status int
	header http.Header
	body   []byte
}

// exchange sends a body once and gives the successful reply.
func (m *Model) exchange(ctx context.Context, body []byte) (reply, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, m.base.JoinPath("v1", "messages").String(), bytes.NewReader(body))
	if err != nil {
		return reply{}, m.fail(model.ErrBadRequest, failure{"make request: " + err.Error(), err})
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json")
	req.Header.Set("User-Agent", "concur")
	req.Header.Set("anthropic-version", apiVersion)
	if key := m.key(); key != "" {
		req.Header.Set("x-api-key", key)
	}
	resp, err := m.http.Do(req)
	if err != nil {
		return reply{}, m.unreachable(ctx, err)
	}
	defer resp.Body.Close()
	if resp.StatusCode < 200 || resp.StatusCode > 299 {
		// The status tells enough where the rest of the body does not arrive.
		raw, _ := io.ReadAll(io.LimitReader(resp.Body, maxErrorBody))
		return reply{}, m.rejected(reply{resp.StatusCode, resp.Header, raw})
	}
	raw, err := io.ReadAll(io.LimitReader(resp.Body, maxBody+1))
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return reply{}, m.malformed(fmt.Sprintf("the reply was cut off after %d bytes", len(raw)))
	case err != nil:
		return reply{}, m.unreachable(ctx, err)
	case len(raw) > maxBody:
		return reply{}, m.malformed(fmt.Sprintf("the reply is longer than %d bytes", maxBody))
	}
	return reply{resp.StatusCode, resp.Header, bytes.ToValidUTF8(raw, []byte("\uFFFD"))}, nil
}
