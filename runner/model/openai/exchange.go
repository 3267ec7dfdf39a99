package openai

import (
	"bytes"
	"encoding/json"
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

// exchange is the HTTP doer of one call. It completes the request's body, and hands
// go-openai either a body that its types can hold or an error of ours.
type exchange struct {
	model  *Model
	fields map[string]any
}

// Do sends the request once.
func (x exchange) Do(req *http.Request) (*http.Response, error) {
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
	raw, err := io.ReadAll(io.LimitReader(resp.Body, maxBody+1))
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return nil, x.model.malformed(fmt.Sprintf("the reply was cut off after %d bytes", len(raw)))
	case err != nil:
		return nil, x.model.unreachable(req.Context(), err)
	case len(raw) > maxBody:
		return nil, x.model.malformed(fmt.Sprintf("the reply is longer than %d bytes", maxBody))
	}
	plain, err := x.model.normalise(reply{resp.StatusCode, resp.Header, raw})
	if err != nil {
		return nil, err
	}
	resp.Body, resp.ContentLength = io.NopCloser(bytes.NewReader(plain)), int64(len(plain))
	return resp, nil
}

// complete puts the fields into the body, and sets the headers.
func (x exchange) complete(req *http.Request) error {
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
	whole, err := json.Marshal(body)
	if err != nil {
		return err
	}
	req.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(whole)), nil }
	req.Body, _ = req.GetBody()
	req.ContentLength = int64(len(whole))
	req.Header.Set("User-Agent", "concur")
	if key := x.model.key(); key != "" {
		req.Header.Set("Authorization", "Bearer "+key)
	}
	return nil
}
