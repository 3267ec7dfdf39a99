package kb_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"github.com/seed-5817661a/concur/tool"
	"github.com/seed-5817661a/concur/tool/kb"
)

// declare reads the settings of a knowledge base named handbook.
func declare(settings string) (tool.Declared, error) {
	return kb.Kind.Read("handbook", func(into any) error { return yaml.Unmarshal([]byte(settings), into) })
}

// folder writes files into a new folder.
func folder(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func shop(t testing.TB) string {
	return folder(t, map[string]string{
		"returns.md":  "# Returns\nGoods can be returned within 30 days.",
		"shipping.md": "# Shipping\nOrders above 50 euros are shipped free of charge.",
		"hours.md":    "# Hours\nThe shop is open from nine to five.",
	})
}

func open(t testing.TB, settings string) (tool.Tool, string) {
	t.Helper()
	d, err := declare(settings)
	if err != nil {
		t.Fatal(err)
	}
	opened, digest, err := d.Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return opened, digest
}

func Example() {
	dir, _ := os.MkdirTemp("", "kb")
	defer os.RemoveAll(dir)
	_ = os.WriteFile(filepath.Join(dir, "returns.md"), []byte("# Returns\nGoods can be returned within 30 days."), 0o600)
	d, err := declare("folder: " + dir)
	if err != nil {
		fmt.Println(err)
		return
	}
	t, _, err := d.Open(context.Background())
	if err != nil {
		fmt.Println(err)
		return
	}
	out, err := t.Call(context.Background(), json.RawMessage(`{"query": "returned goods"}`))
	fmt.Println(out.Documents[0].Source, out.Documents[0].Score, err)
	// Output: returns.md 1 <nil>
}

func TestSearch(t *testing.T) {
	dir := shop(t)
	for _, c := range []struct{ settings, query, sources, message string }{
		{"", "goods returned", "returns.md", ""},
		{"", "weather in Lisbon", "", ""},
		{"empty_response: nothing is known", "weather in Lisbon", "", "nothing is known"},
		{"similarity_threshold: 0", "goods returned shipped", "returns.md shipping.md", ""},
		{"similarity_threshold: 0\ntop_n: 1", "goods returned shipped", "returns.md", ""},
		{"similarity_threshold: 1", "goods returned shipped", "", ""},
	} {
		opened, _ := open(t, "folder: "+dir+"\n"+c.settings)
		out, err := opened.Call(t.Context(), json.RawMessage(fmt.Sprintf(`{"query": %q}`, c.query)))
		if err != nil {
			t.Errorf("%s, %q: %v", c.settings, c.query, err)
			continue
		}
		var sources []string
		for _, d := range out.Documents {
			sources = append(sources, d.Source)
			if d.Backend != kb.Backend {
				t.Errorf("%q: backend %q", c.query, d.Backend)
			}
		}
		message, _ := out.Object["message"].(string)
		if strings.Join(sources, " ") != c.sources || message != c.message || out.Documents == nil {
			t.Errorf("%s, %q: %q and message %q, want %q and %q", c.settings, c.query, sources, message, c.sources, c.message)
		}
	}
}

func TestAnEmptyQueryIsTheAgentsError(t *testing.T) {
	opened, _ := open(t, "folder: "+shop(t))
	_, err := opened.Call(t.Context(), json.RawMessage(`{"query": "  "}`))
	if refused, is := errors.AsType[*tool.RequestError](err); !is || refused.Kind != tool.BadRequest {
		t.Errorf("%v", err)
	}
}

// The digest depends on the content of the folder, not on its path.
func TestDigest(t *testing.T) {
	_, one := open(t, "folder: "+shop(t))
	_, same := open(t, "folder: "+shop(t))
	_, other := open(t, "folder: "+folder(t, map[string]string{"returns.md": "# Returns\nGoods can be returned within 14 days."}))
	if one != same || one == other {
		t.Errorf("%q, %q, %q", one, same, other)
	}
}

// The description of a tool does not need its folder, so that a run can be replayed without the folder.
func TestSpecNeedsNoFolder(t *testing.T) {
	dir := shop(t)
	opened, _ := open(t, "folder: "+dir+"\nabout: The shop's handbook.")
	missing, err := declare("folder: " + filepath.Join(dir, "missing") + "\nabout: The shop's handbook.")
	if err != nil {
		t.Fatal(err)
	}
	if got, want := fmt.Sprint(missing.Spec()), fmt.Sprint(opened.Spec()); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	if _, _, err := missing.Open(t.Context()); err == nil || !strings.Contains(err.Error(), "missing") {
		t.Errorf("opened a missing folder: %v", err)
	}
}

func TestWrongSettings(t *testing.T) {
	for settings, want := range map[string]string{
		"top_n: 3":                                                     "folder is empty",
		"folder: d\ntop_n: 0":                                          "top_n is 0: give 1 to 50 passages",
		"folder: d\ntop_n: 51":                                         "top_n is 51",
		"folder: d\nsimilarity_threshold: 1.5":                         "similarity_threshold is 1.5: give 0 to 1",
		"folder: d\nsimilarity_threshold: .nan":                        "similarity_threshold is NaN",
		"folder: ' '\ntop_n: -1":                                       "folder is empty: name a folder with .md, .txt, .html, .csv or .jsonl files\ntop_n is -1",
		"folder: d\nembeddings: ada":                                   `embeddings "ada": write provider:model`,
		"folder: d\nembeddings: 'openai:'":                             `embeddings "openai:": write provider:model`,
		"folder: d\nkeywords_similarity_weight: 1":                     "keywords_similarity_weight has no effect without embeddings",
		"folder: d\nembeddings: a:b\nkeywords_similarity_weight: 2":    "keywords_similarity_weight is 2: give 0 to 1",
		"folder: d\nembeddings: a:b\nkeywords_similarity_weight: .nan": "keywords_similarity_weight is NaN",
		"folder: d\nsimilarity_threshold: banana":                      "banana",
	} {
		if _, err := declare(settings); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", settings, err, want)
		}
	}
}
