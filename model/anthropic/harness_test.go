package anthropic_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/model/anthropic"
	"github.com/seed-5817661a/concur/model/wire/wiretest"
)

// testKey is the key, which no error may contain.
const testKey = "sk-ant-test-0123456789abcdef"

// question is the smallest valid request.
var question = model.Request{Messages: []model.Message{{Role: model.User, Content: "q"}}}

func newModel(t *testing.T, o anthropic.Options) *anthropic.Model {
	t.Helper()
	if o.Model == "" {
		o.Model = "m"
	}
	o.APIKey = testKey
	m, err := anthropic.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// at returns a model whose endpoint is a loopback server.
func at(t *testing.T, h http.HandlerFunc) *anthropic.Model {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	return newModel(t, anthropic.Options{BaseURL: server.URL, Transport: server.Client().Transport})
}

// fails calls the model, checks that it fails with this kind, and returns the error's text. It also checks
// the rules for all errors: the type, the host, and that no verb shows the key.
func fails(t *testing.T, m *anthropic.Model, want model.ErrorKind) string {
	t.Helper()
	_, err := m.Complete(context.Background(), question)
	checkError(t, err, want)
	return fmt.Sprint(err)
}

func checkError(t *testing.T, err error, want model.ErrorKind) {
	t.Helper()
	wiretest.Failed(t, err, "anthropic", want, testKey)
}

// fake is a model whose replies a function gives.
type fake func(context.Context, model.Request) (model.Response, error)

func (f fake) Complete(ctx context.Context, req model.Request) (model.Response, error) {
	return f(ctx, req)
}

// wire returns the body of the request that a model sends.
func wire(t *testing.T, o anthropic.Options, req model.Request) string {
	t.Helper()
	var body string
	o.Transport = wiretest.Transport(func(r *http.Request) (*http.Response, error) {
		raw, err := io.ReadAll(r.Body)
		if err != nil || int64(len(raw)) != r.ContentLength {
			t.Errorf("read %d of %d bytes: %v", len(raw), r.ContentLength, err)
		}
		body = string(raw)
		return wiretest.OK(replyOf(`{"type": "text", "text": "a"}`, "end_turn")), nil
	})
	if _, err := newModel(t, o).Complete(context.Background(), req); err != nil {
		t.Fatal(err)
	}
	return body
}

// replyOf returns a reply with some blocks, without usage.
func replyOf(blocks, stop string) string {
	return `{"id": "msg_1", "type": "message", "role": "assistant", "model": "m-1", "content": [` + blocks + `], "stop_reason": "` + stop + `", "stop_sequence": null}`
}

func parse(t *testing.T, document string) any {
	t.Helper()
	var v any
	if err := json.Unmarshal([]byte(document), &v); err != nil {
		t.Fatalf("%v: %s", err, document)
	}
	return v
}
