package openai

import (
	"bufio"
	"bytes"
	"encoding/json"
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

// exchange is the HTTP doer of one call. It completes the request's body, and hands
// go-openai either a body that its types can hold or an error of ours. A stream goes to
// go-openai as the whole reply that it makes.
type exchange struct {
	model  *Model
	fields map[string]any
	stream bool  // was asked for
	told   *live // hears the content of a stream; nil where nobody listens

	kept opaque // of the reply
}

// Do sends the request once.
func (x *exchange) Do(req *http.Request) (*http.Response, error) {
	if err := x.complete(req); err != nil {
		return nil, x.model.fail(model.ErrBadRequest, failure{text: "encode request: " + err.Error()})
	}
	resp, err := x.model.http.Do(req)
	if err != nil {
		return nil, x.model.unreachable(req.Context(), err)
	}
	defer resp.Body.Close()
	if resp.StatusCode < 200 || resp.StatusCode > 299 {
		// The status tells enough where the rest of the body does not arrive.
		raw, _ := io.ReadAll(io.LimitReader(resp.Body, maxErrorBody))
		return nil, x.model.rejected(reply{resp.StatusCode, resp.Header, raw})
	}
	s, err := x.receive(req, resp)
	if err != nil {
		return nil, err
	}
	x.kept = s.kept
	raw, err := plain(s)
	if err != nil {
		return nil, x.model.malformed(err.Error())
	}
	resp.Body, resp.ContentLength = io.NopCloser(bytes.NewReader(raw)), int64(len(raw))
	return resp, nil
}

// receive reads a successful reply.
func (x *exchange) receive(req *http.Request, resp *http.Response) (said, error) {
	body := bufio.NewReader(resp.Body)
	if x.stream && isStream(resp.Header.Get("Content-Type"), body) {
		return x.readStream(req, resp, body)
	}
	raw, err := io.ReadAll(io.LimitReader(body, maxBody+1))
	switch {
	case err != nil:
		return said{}, x.model.brokeOff(req.Context(), err, fmt.Sprintf("the reply was cut off after %d bytes", len(raw)))
	case len(raw) > maxBody:
		return said{}, x.model.malformed(fmt.Sprintf("the reply is longer than %d bytes", maxBody))
	}
	return x.model.normalise(reply{resp.StatusCode, resp.Header, raw})
}

// isStream tells a stream from a reply in one piece, which some endpoints send all the
// same. Where the type does not say, the first byte does.
func isStream(contentType string, body *bufio.Reader) bool {
	kind, _, _ := mime.ParseMediaType(contentType)
	switch {
	case kind == "text/event-stream":
		return true
	case strings.Contains(kind, "json") || strings.Contains(kind, "html"):
		return false
	}
	first, err := body.Peek(1)
	return err == nil && !strings.ContainsAny(string(first), "{[< \t\r\n")
}

func (x *exchange) readStream(req *http.Request, resp *http.Response, body io.Reader) (said, error) {
	s := newStream(x.model.endpoint.Keep, x.told)
	err := s.read(body)
	if err == nil && !s.choice {
		err = badStream("it has no choices")
	}
	if err == nil {
		return s.whole()
	}
	failed, isFailure := errors.AsType[errFailed](err)
	_, isBad := errors.AsType[badStream](err)
	switch {
	case isFailure:
		return said{}, x.model.rejected(reply{resp.StatusCode, resp.Header, failed.body})
	case isBad:
		return said{}, x.model.malformed("the stream cannot be read: " + x.model.quote(err.Error()))
	case errors.Is(err, errCut):
		err = io.ErrUnexpectedEOF
	}
	return said{}, x.model.brokeOff(req.Context(), err, errCut.Error())
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
		req.Header.Set("Accept", "text/event-stream")
	}
	if key := x.model.key(); key != "" {
		req.Header.Set("Authorization", "Bearer "+key)
	}
	return nil
}
