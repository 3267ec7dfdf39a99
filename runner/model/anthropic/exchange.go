package anthropic

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"

	"github.com/seed-5817661a/concur/internal/wire"
	"github.com/seed-5817661a/concur/runner/model"
)

// apiVersion is the version of the wire that this package speaks.
const apiVersion = "2023-06-01"

// exchange sends a body once and gives the successful reply. Of a stream it gives the whole
// message that its events make.
func (m *Model) exchange(ctx context.Context, body []byte, stream bool, told *wire.Live) (wire.Reply, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, m.peer.Base.JoinPath("v1", "messages").String(), bytes.NewReader(body))
	if err != nil {
		return wire.Reply{}, m.peer.Fail(model.ErrBadRequest, "make request: "+err.Error(), err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json")
	if stream {
		req.Header.Set("Accept", wire.EventStream)
	}
	req.Header.Set("User-Agent", "concur")
	req.Header.Set("anthropic-version", apiVersion)
	if key, _ := m.peer.Key(); key != "" {
		req.Header.Set("x-api-key", key)
	}
	resp, err := m.http.Do(req)
	if err != nil {
		return wire.Reply{}, m.peer.Unreachable(ctx, err)
	}
	defer resp.Body.Close()
	if resp.StatusCode < 200 || resp.StatusCode > 299 {
		return wire.Reply{}, m.rejected(wire.ErrorReply(resp))
	}
	in := bufio.NewReader(resp.Body)
	if stream && wire.IsStream(resp.Header.Get("Content-Type"), in) {
		return m.readStream(ctx, resp, in, told)
	}
	raw, err := m.peer.ReadWhole(ctx, in)
	if err != nil {
		return wire.Reply{}, err
	}
	return wire.Reply{Status: resp.StatusCode, Header: resp.Header, Body: bytes.ToValidUTF8(raw, []byte("\uFFFD"))}, nil
}

func (m *Model) readStream(ctx context.Context, resp *http.Response, body io.Reader, told *wire.Live) (wire.Reply, error) {
	s := newStream(told)
	err := s.read(body)
	if err == nil {
		raw, err := s.whole()
		if err != nil {
			return wire.Reply{}, m.peer.Malformed("the stream cannot be read: " + m.peer.Quote(err.Error()))
		}
		return wire.Reply{Status: resp.StatusCode, Header: resp.Header, Body: raw}, nil
	}
	if failed, ok := errors.AsType[wire.Failed](err); ok {
		return wire.Reply{}, m.rejected(wire.Reply{Status: resp.StatusCode, Header: resp.Header, Body: failed.Body})
	}
	return wire.Reply{}, m.peer.BrokenStream(ctx, err)
}
