package assemble

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/model/endpoints"
	"github.com/seed-5817661a/concur/runner/config"
)

// vectorServer answers requests for embeddings: a text with "return" or "give back" has one direction, others have
// another. It counts the texts.
func vectorServer(t *testing.T, texts *atomic.Int64) string {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var in struct{ Input []string }
		if err := json.NewDecoder(r.Body).Decode(&in); err != nil || !strings.HasSuffix(r.URL.Path, "/embeddings") {
			http.Error(w, "no", http.StatusBadRequest)
			return
		}
		var rows []string
		for i, text := range in.Input {
			vector := "[0.1,1]"
			if strings.Contains(text, "return") || strings.Contains(text, "give back") {
				vector = "[1,0.1]"
			}
			rows = append(rows, fmt.Sprintf(`{"index":%d,"embedding":%s}`, i, vector))
		}
		texts.Add(int64(len(in.Input)))
		fmt.Fprintf(w, `{"data":[%s],"usage":{"prompt_tokens":1,"total_tokens":1}}`, strings.Join(rows, ","))
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// A knowledge base gets its vectors from a configured endpoint, once for each text, and keeps them in the user's
// cache folder. Content, model and weight are part of what the agent hash depends on.
func TestKnowledgeBaseWithVectors(t *testing.T) {
	var texts atomic.Int64
	address := vectorServer(t, &texts)
	home, dir := t.TempDir(), t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("a.md", "# Terms\nGoods can be returned within 30 days.")
	write("b.md", "# Hours\nOpen from nine to five.")
	a := New(func(name string) string { return map[string]string{"HOME": home}[name] }, Build{})
	settings := map[string]any{"folder": dir, "embeddings": "mine:vectors", "keywords_similarity_weight": 0.25}
	open := func() (title, part string) {
		t.Helper()
		c := config.New()
		c.Providers = map[string]endpoints.Endpoint{"mine": {Kind: endpoints.OpenAI, BaseURL: address, Auth: endpoints.Auth{None: true}}}
		c.Tools = map[string]config.DeclaredTool{"handbook": {Settings: settings}}
		c.Agent.Tools = []string{"handbook"}
		b := a.newToolbox(nil)
		defer b.close()
		set, err := b.open(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		r := set.registry.Invoke(context.Background(), model.ToolCall{ID: "1", Name: "handbook", Arguments: `{"query":"give back"}`}, time.Minute)
		if r.Error != "" || len(r.Output.Documents) == 0 {
			t.Fatalf("%+v", r)
		}
		return r.Output.Documents[0].Title, set.parts["tool handbook"]
	}
	title, part := open()
	if title != "Terms" || texts.Load() != 3 {
		t.Errorf("found %s, %d texts embedded, want 2 passages and the query", title, texts.Load())
	}
	if _, again := open(); again != part || texts.Load() != 3 {
		t.Errorf("opened again: the part changed (%t), %d texts embedded", again != part, texts.Load())
	}
	if kept, err := filepath.Glob(filepath.Join(home, ".cache", "concur", "embeddings", "*")); err != nil || len(kept) != 3 {
		t.Errorf("%d vectors are kept, %v", len(kept), err)
	}
	write("b.md", "# Hours\nOpen from ten to five.")
	_, changed := open()
	if changed == part || texts.Load() != 4 {
		t.Errorf("changed content: the same part (%t), %d texts embedded", changed == part, texts.Load())
	}
	settings["keywords_similarity_weight"] = 0.5
	if _, other := open(); other == changed || texts.Load() != 4 {
		t.Error("another weight has the same part")
	}
	delete(settings, "keywords_similarity_weight")
	settings["embeddings"] = "mine:others"
	if _, other := open(); other == changed || texts.Load() != 7 {
		t.Errorf("another model: %d texts embedded", texts.Load())
	}
}
