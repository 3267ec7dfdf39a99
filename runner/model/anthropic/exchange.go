package anthropic

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"

	"github.com/seed-5817661a/concur/runner/model"
)

// maxBody caps what is read of a reply, maxErrorBody what is read of an error.
const (
	maxBody      = 16 << 20
	maxErrorBody = 64 << 10
)

// apiVersion is the version of the wire that this package speaks.
const apiVersion = "2023-06-01"

// eventStream is the media type of a stream.
const eventStream = "text/event-stream"

// reply is what came over HTTP.
type reply struct {
	status int
	header http.Header
	body   []byte
}

// exchange sends a body once and gives the successful reply. Of a stream it gives the whole
// message that its events make.
func (m *Model) exchange(ctx context.Context, body []byte, stream bool, told *live) (reply, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, m.base.JoinPath("v1", "messages").String(), bytes.NewReader(body))
	if err != nil {
		return reply{}, m.fail(model.ErrBadRequest, failure{"make request: " + err.Error(), err})
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json")
	if stream {
		req.Header.Set("Accept", eventStream)
	}
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
	in := bufio.NewReader(resp.Body)
	if stream && isStream(resp.Header.Get("Content-Type"), in) {
		return m.readStream(ctx, resp, in, told)
	}
	return m.readWhole(ctx, resp, in)
}

func (m *Model) readWhole(ctx context.Context, resp *http.Response, body io.Reader) (reply, error) {
	raw, err := io.ReadAll(io.LimitReader(body, maxBody+1))
	switch {
	case err != nil:
		return reply{}, m.brokeOff(ctx, err, fmt.Sprintf("the reply was cut off after %d bytes", len(raw)))
	case len(raw) > maxBody:
		return reply{}, m.malformed(fmt.Sprintf("the reply is longer than %d bytes", maxBody))
	}
	return reply{resp.StatusCode, resp.Header, bytes.ToValidUTF8(raw, []byte("\uFFFD"))}, nil
}

// isStream tells a stream from a reply in one piece, which some gateways send all the same.
// Where the type does not say, the first byte does.
func isStream(contentType string, body *bufio.Reader) bool {
	kind, _, _ := mime.ParseMediaType(contentType)
	switch {
	case kind == eventStream:
		return true
	case strings.Contains(kind, "json") || strings.Contains(kind, "html"):
		return false
	}
	first, err := body.Peek(1)
	return err == nil && !strings.ContainsAny(string(first), "{[< \t\r\n")
}

func (m *Model) readStream(ctx context.Context, resp *http.Response, body io.Reader, told *live) (reply, error) {
	s := newStream(told)
	err := s.read(body)
	if err == nil {
		raw, err := s.whole()
		if err != nil {
			return reply{}, m.malformed("the stream cannot be read: " + m.quote(err.Error()))
		}
		return reply{resp.StatusCode, resp.Header, raw}, nil
	}
	failed, isFailure := errors.AsType[errFailed](err)
	_, isBad := errors.AsType[badStream](err)
	switch {
	case isFailure:
		return reply{}, m.rejected(reply{resp.StatusCode, resp.Header, failed.body})
	case isBad:
		return reply{}, m.malformed("the stream cannot be read: " + m.quote(err.Error()))
	case errors.Is(err, errCut):
		err = io.ErrUnexpectedEOF
	}
	return reply{}, m.brokeOff(ctx, err, errCut.Error())
}
