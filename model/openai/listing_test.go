package openai_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/model/openai"
)

// listed serves a list of models at /v1/models, counts the requests for it, and refuses every other request.
func listed(t *testing.T, status int, refusal string, names ...string) (base string, asked *atomic.Int64) {
	t.Helper()
	asked = new(atomic.Int64)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		if r.URL.Path != "/v1/models" || names == nil {
			w.WriteHeader(status)
			_, _ = w.Write([]byte(refusal))
			return
		}
		asked.Add(1)
		if got := r.Header.Get("Authorization"); got != "Bearer "+testKey {
			t.Errorf("the list was asked for with the authorization %q", got)
		}
		var data []string
		for _, name := range names {
			data = append(data, fmt.Sprintf(`{"id": %q}`, name))
		}
		fmt.Fprintf(w, `{"object": "list", "data": [%s]}`, strings.Join(data, ","))
	}))
	t.Cleanup(server.Close)
	return server.URL, asked
}

// If a refusal may be caused by the model's name or the address, the error names the models that the endpoint
// lists.
func TestRefusalsNameTheModelsOfTheEndpoint(t *testing.T) {
	const noModel = `{"error": {"message": "The model does not exist", "code": "model_not_found"}}`
	many := []string{"gpt-4o-mini"}
	for i := range 20 {
		many = append(many, fmt.Sprintf("other-%02d", i))
	}
	for _, c := range []struct {
		name    string
		status  int
		refusal string
		path    string // path of the base URL
		models  []string
		model   string
		says    []string
		not     string
	}{
		{
			"misspelt", 404, noModel, "/v1", []string{"qwen3:8b", "gpt-4o-mini"}, "gpt-4o-mni",
			[]string{`lists no model "gpt-4o-mni", but gpt-4o-mini, qwen3:8b`}, "did you mean",
		},
		{
			"one of many", 404, noModel, "/v1", many, "gpt-4o-mni",
			[]string{"but gpt-4o-mini, other-00, ", " and 13 more"}, "other-19",
		},
		{
			"as a bad request", 400, `{"error": {"message": "x is not a valid model ID"}}`, "/v1", []string{"gpt-4o"}, "gpt4o",
			[]string{`lists no model "gpt4o", but gpt-4o`}, "did you mean",
		},
		{
			"without /v1", 404, "404 page not found", "", []string{"m"}, "m",
			[]string{"models are listed at http://127.0.0.1:", "/v1: give it as OPENAI_BASE_URL"}, "lists no model",
		},
		{
			"without /v1 and misspelt", 404, "404 page not found", "", []string{"m-one"}, "m",
			[]string{"/v1: give it as OPENAI_BASE_URL", `lists no model "m", but m-one`}, "",
		},
		{
			"not a list", 404, noModel, "/v1", nil, "m",
			[]string{`check the model's name "m"`}, "lists no model",
		},
		{
			"listed", 404, noModel, "/v1", []string{"m"}, "m",
			[]string{`check the model's name "m"`}, "lists no model",
		},
		{
			"another cause", 400, `{"error": {"message": "temperature is not supported"}}`, "/v1", []string{"other"}, "m",
			[]string{"temperature is not supported"}, "lists no model",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			base, asked := listed(t, c.status, c.refusal, c.models...)
			m := newModel(t, openai.Options{BaseURL: base + c.path, Model: c.model})
			text := fails(t, m, model.ErrBadRequest)
			if again := fails(t, m, model.ErrBadRequest); again != text {
				t.Errorf("the second refusal says %s\nthe first %s", again, text)
			}
			for _, want := range c.says {
				if !strings.Contains(text, want) {
					t.Errorf("%s\nlacks %q", text, want)
				}
			}
			if c.not != "" && strings.Contains(text, c.not) {
				t.Errorf("%s\nholds %q", text, c.not)
			}
			if n := asked.Load(); n > 1 {
				t.Errorf("the list was asked for %d times", n)
			}
		})
	}
}
