package openai

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"

	"github.com/seed-5817661a/concur/internal/wire"
	"github.com/seed-5817661a/concur/runner/model"
)

// exchange is the HTTP doer of one call. It completes the request's body, and hands
// go-openai either a body that its types can hold or an error of ours. A stream goes to
// go-openai as the whole reply that it makes.
type exchange struct {
	model  *Model
	fields map[string]any
	stream bool       // was asked for
	told   *wire.Live // hears the content of a stream; nil where nobody listens

	kept opaque // of the reply
}

// Do sends the request once.
func (x *exchange) Do(req *http.Request) (*http.Response, error) {
	if err := x.complete(req); err != nil {
		return nil, x.model.peer.Fail(model.ErrBadRequest, "encode request: "+err.Error(), nil)
	}
	resp, err := x.model.http.Do(req)
	if err != nil {
		return nil, x.model.unreachable(req.Context(), err)
	}
	defer resp.Body.Close()
	if resp.StatusCode < 200 || resp.StatusCode > 299 {
		return nil, x.model.rejected(wire.ErrorReply(resp))
	}
	s, err := x.receive(req, resp)
	if err != nil {
		return nil, err
	}
	x.kept = s.kept
	raw, err := plain(s)
	if err != nil {
		return nil, x.model.peer.Malformed(err.Error())
	}
	resp.Body, resp.ContentLength = io.NopCloser(bytes.NewReader(raw)), int64(len(raw))
	return resp, nil
}

// receive reads a successful reply.
func (x *exchange) receive(req *http.Request, resp *http.Response) (said, error) {
	body := bufio.NewReader(resp.Body)
	if x.stream && wire.IsStream(resp.Header.Get("Content-Type"), body) {
		return x.readStream(req, resp, body)
	}
	raw, err := x.model.peer.ReadWhole(req.Context(), body)
	if err != nil {
		return said{}, err
	}
	return x.model.normalise(wire.Reply{Status: resp.StatusCode, Header: resp.Header, Body: raw})
}

func (x *exchange) readStream(req *http.Request, resp *http.Response, body io.Reader) (said, error) {
	s := newStream(x.model.endpoint.Keep, x.told)
	err := s.read(body)
	if err == nil && !s.choice {
		err = wire.BadStream("it has no choices")
	}
	if err == nil {
		return s.whole()
	}
	if failed, ok := errors.AsType[wire.Failed](err); ok {
		return said{}, x.model.rejected(wire.Reply{Status: resp.StatusCode, Header: resp.Header, Body: failed.Body})
	}
	return said{}, x.model.peer.BrokenStream(req.Context(), err)
}

// complete puts the fields into the body, and sets the headers.
func (x *exchange) complete(req *http.Request) error {
	defer req.Body.Close()
	body := map[string]json.RawMessage{}
	if err := json.NewDecoder(req.Body).Decode(&body); err != nil {
		return err
	}
	for name, value := range x.fields {
		raw, err := json.Marshal(value)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		body[name] = raw
	}
	x.model.write.fit(body)
	whole, err := json.Marshal(body)
	if err != nil {
		return err
	}
	req.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(whole)), nil }
	req.Body, _ = req.GetBody()
	req.ContentLength = int64(len(whole))
	for name, value := range x.model.endpoint.Headers {
		req.Header.Set(name, value)
	}
	if req.Header.Get("User-Agent") == "" {
		req.Header.Set("User-Agent", "concur")
	}
	if x.stream {
		req.Header.Set("Accept", wire.EventStream)
	}
	if key, _ := x.model.peer.Key(); key != "" {
		req.Header.Set("Authorization", "Bearer "+key)
	}
	return nil
}
