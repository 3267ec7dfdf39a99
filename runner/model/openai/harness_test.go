package openai_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/runner/model"
	"github.com/seed-5817661a/concur/runner/model/openai"
)

// testKey is what no error may hold.
const testKey = "sk-test-0123456789abcdef"

// question is the least request.
var question = model.Request{Messages: []model.Message{{Role: model.User, Content: "q"}}}

// transport answers requests by a function, without a network.
type transport func(*http.Request) (*http.Response, error)

func (f transport) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func newModel(t *testing.T, o openai.Options) *openai.Model {
	t.Helper()
	if o.Model == "" {
		o.Model = "m"
	}
	o.APIKey = testKey
	m, err := openai.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// at gives a model behind a loopback server.
func at(t *testing.T, h http.HandlerFunc) *openai.Model {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	return newModel(t, openai.Options{BaseURL: server.URL + "/v1", Transport: server.Client().Transport})
}

// says answers every request with a status and a body.
func says(status int, contentType, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", contentType)
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

// fails calls the model, which must fail with a kind, and gives the error's text. It
// checks what holds for every error: its type, its host, and that no verb shows the key.
func fails(t *testing.T, m *openai.Model, want model.ErrorKind) string {
	t.Helper()
	_, err := m.Complete(context.Background(), question)
	checkError(t, err, want)
	return fmt.Sprint(err)
}

func checkError(t *testing.T, err error, want model.ErrorKind) {
	t.Helper()
	e, ok := errors.AsType[*model.Error](err)
	if !ok {
		t.Fatalf("%v is no *model.Error", err)
	}
	if e.Kind != want {
		t.Errorf("kind %s, want %s: %v", e.Kind, want, err)
	}
	if !strings.HasPrefix(e.Model, "openai:") || !strings.Contains(err.Error(), ": ask ") {
		t.Errorf("%v does not name model and host", err)
	}
	for ; err != nil; err = errors.Unwrap(err) {
		for _, verb := range []string{"%v", "%+v", "%#v", "%q"} {
			if text := fmt.Sprintf(verb, err); strings.Contains(text, testKey) {
				t.Errorf("%s shows the key: %s", verb, text)
			}
		}
	}
}

// host is the host of the address to which a model's error points.
func host(t *testing.T, address string) string {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	return u.Host
}
