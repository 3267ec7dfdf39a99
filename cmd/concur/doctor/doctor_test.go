package doctor

import (
	"context"
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
