package doctor

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/reports/listing"
	"github.com/seed-5817661a/concur/runner/assemble"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/serve"
)

// prefixCache is a model that keeps system prompts, and tells of it or does not.
type prefixCache struct {
	tells bool
	mu    sync.Mutex
	kept  map[string]bool
}

func (c *prefixCache) Complete(_ context.Context, req model.Request) (model.Response, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	usage := model.Usage{InputTokens: 10, OutputTokens: 1}
	if first := req.Messages[0]; first.Role == model.System {
		usage.InputTokens = 2000
		if c.tells && c.kept[first.Content] {
			usage.CachedTokens = 1920
		}
		c.kept[first.Content] = true
	}
	return model.Response{Message: model.Message{Role: model.Assistant, Content: "ok"}, Finish: model.FinishStop, Usage: usage}, nil
}

// All wires tell of cached tokens in their own words.
func TestDoctorTellsOfCachedTokens(t *testing.T) {
	for _, c := range []struct {
		kind  string
		tells bool
		want  string
	}{
		{"openai", true, "96 % of the 2000 tokens of a second request with the same beginning came from a cache"},
		{"anthropic", true, "96 % of the 2000 tokens of a second request with the same beginning came from a cache"},
		{"responses", true, "96 % of the 2000 tokens of a second request with the same beginning came from a cache"},
		{"openai", false, "it reports no cached tokens"},
	} {
		endpoint := httptest.NewServer(serve.Handler(&prefixCache{tells: c.tells, kept: map[string]bool{}}, "fake"))
		defer endpoint.Close()
		configuration := filepath.Join(t.TempDir(), "concur.yaml")
		text := "model: mine:fake\nproviders:\n  mine: {kind: " + c.kind + ", base_url: \"" + endpoint.URL + "/v1\", auth: none}\n"
		if err := os.WriteFile(configuration, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		conf, err := config.Load(configuration, config.New())
		if err != nil {
			t.Fatal(err)
		}
		d := &Examination{Assembler: assemble.New(os.Getenv, assemble.Build{}), Network: true}
		d.models(t.Context(), conf.Configuration)
		if len(d.Checks) != 1 || d.Checks[0].State != listing.Works || !strings.HasPrefix(d.Checks[0].Detail, c.want) {
			t.Errorf("%s: %+v, want %q", c.kind, d.Checks, c.want)
		}
	}
}

// The server of an agent is not there, is there, or may not be asked; a program exists or not.
func TestDoctorLooksForTheAgent(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	defer server.Close()
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	for _, c := range []struct {
		name    string
		agent   config.External
		network bool
		want    listing.CheckState
		says    string
	}{
		{"server", config.External{HTTP: server.URL}, true, listing.Works, "accepts a connection"},
		{"no server", config.External{HTTP: gone.URL}, true, listing.Fails, "this machine cannot reach " + gone.URL},
		{"no network", config.External{HTTP: gone.URL}, false, listing.NotTried, ""},
		{"program", config.External{Exec: []string{"sh", "agent.sh"}}, false, listing.Works, "the program exists"},
		{"no program", config.External{Exec: []string{"./no-such-program"}}, false, listing.Fails, "agent.exec: "},
	} {
		conf := config.New()
		conf.Agent.External = c.agent
		d := &Examination{Assembler: assemble.New(os.Getenv, assemble.Build{}), Network: c.network}
		d.agent(t.Context(), conf)
		if len(d.Checks) != 1 {
			t.Errorf("%s: %+v", c.name, d.Checks)
			continue
		}
		if got := d.Checks[0]; got.State != c.want || !got.Needed || !strings.Contains(got.Detail, c.says) {
			t.Errorf("%s: %+v, want %s with %q", c.name, d.Checks, c.want, c.says)
		}
	}
	d := &Examination{}
	if d.agent(t.Context(), config.New()); len(d.Checks) != 0 {
		t.Errorf("concur's own agent: %+v", d.Checks)
	}
}
