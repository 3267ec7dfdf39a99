package openai_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/model/openai"
	"github.com/seed-5817661a/concur/model/wire/wiretest"
)

// testKey is the key, which no error may contain.
const testKey = "sk-test-0123456789abcdef"

// question is the smallest valid request.
var question = model.Request{Messages: []model.Message{{Role: model.User, Content: "q"}}}

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

// at returns a model whose endpoint is a loopback server.
func at(t *testing.T, h http.HandlerFunc) *openai.Model {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	return newModel(t, openai.Options{BaseURL: server.URL + "/v1", Transport: server.Client().Transport})
}

// fails calls the model, checks that it fails with this kind, and returns the error's text. It also checks
// the rules for all errors: the type, the host, and that no verb shows the key.
func fails(t *testing.T, m *openai.Model, want model.ErrorKind) string {
	t.Helper()
	_, err := m.Complete(context.Background(), question)
	checkError(t, err, want)
	return fmt.Sprint(err)
}

func checkError(t *testing.T, err error, want model.ErrorKind) {
	t.Helper()
	wiretest.Failed(t, err, "openai", want, testKey)
}
