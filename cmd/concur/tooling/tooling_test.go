package tooling_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/seed-5817661a/concur/cmd/concur/tooling"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/tool"
	"github.com/seed-5817661a/concur/tool/api"
	"github.com/seed-5817661a/concur/tool/api/spec"
)

const file = `description: Finds stones.
evidence: stone
parameters:
  query: {type: string, description: Words.}
settings: {host: null}
auth: [{env: STONES_KEY, query: key}]
requests:
  - url: =$settings.host + "/find"
    query: {q: =$args.query}
    empty: .total == 0
documents: {each: '.items[]'}
`

const key = "stones-key-4711"

func environ(name string) string { return map[string]string{"STONES_KEY": key}[name] }

// stones is a configuration with the tool of file, and a call of it.
func stones(t *testing.T, host, arguments string) (config.Configuration, tooling.Call) {
	t.Helper()
	conf := config.New()
	settings := map[string]any{"host": host}
	conf.Tools = map[string]config.DeclaredTool{"stones": {Settings: map[string]any{"api": file, "settings": settings}}}
	return conf, tooling.Call{Name: "stones", Arguments: arguments,
		Make: func(ctx context.Context, change func(*api.Options)) (tool.Result, error) {
			f, err := spec.Read("stones", []byte(file))
			if err != nil {
				return tool.Result{}, err
			}
			o := api.Options{Environ: environ}
			change(&o)
			opened, err := api.New("stones", f, settings, api.NewRun(o))
			if err != nil {
				return tool.Result{}, err
			}
			r, err := tool.New(opened)
			if err != nil {
				return tool.Result{}, err
			}
			return r.Invoke(ctx, model.ToolCall{Name: "stones", Arguments: arguments}, time.Minute), nil
		}}
}

// Recorded calls become cases without keys, which give what the calls gave.
func TestRecord(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		switch r.FormValue("q") {
		case "red":
			fmt.Fprintf(w, `{"items":[{"id":"1","title":"Ruby for %s"}]}`, r.FormValue("key"))
		case "long":
			fmt.Fprintf(w, `{"items":[{"id":"1","title":"%s"}]}`, strings.Repeat("é ", 3000))
		case "none":
			io.WriteString(w, `{"total":0}`)
		default:
			w.WriteHeader(http.StatusTeapot)
		}
	}))
	defer s.Close()
	dir := filepath.Join(t.TempDir(), "cases")
	gave := map[string]string{"red": "1 document", "none": "empty", "long": "1 document", "tea": "bad_request ("}
	for _, query := range []string{"red", "none", "long", "tea"} {
		conf, call := stones(t, s.URL, fmt.Sprintf(`{"query":%q}`, query))
		said, err := tooling.Record(t.Context(), conf, dir, environ, call)
		want := "recorded 1 exchange in " + filepath.Join(dir, "stones.yaml") + "; the call gave " + gave[query]
		if err != nil || !strings.HasPrefix(said, want) {
			t.Errorf("%s: %s, %v", query, said, err)
		}
	}
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		if strings.Contains(string(text), key) {
			t.Errorf("%s has the key", path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	tool := filepath.Join(t.TempDir(), "stones.yaml")
	if err := os.WriteFile(tool, []byte(file), 0o600); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if wrong, err := tooling.Check(t.Context(), &out, tool, dir); wrong != 0 || err != nil ||
		!strings.Contains(out.String(), "4 of 4 cases right") {
		t.Errorf("%d, %v:\n%s", wrong, err, out.String())
	}
	for from, to := range map[string]string{"q: ": "word: ", "query: key": "query: token", "'.items[]'": "'.items[]', title: .id"} {
		changed := strings.Replace(file, from, to, 1)
		if changed == file {
			t.Fatalf("the file has no %q", from)
		}
		if err := os.WriteFile(tool, []byte(changed), 0o600); err != nil {
			t.Fatal(err)
		}
		if wrong, err := tooling.Check(t.Context(), &out, tool, dir); wrong == 0 && err == nil {
			t.Errorf("the cases pass with %q in place of %q", to, from)
		}
	}
	conf, call := stones(t, s.URL, `{}`)
	if _, err := tooling.Record(t.Context(), conf, dir, environ, call); err == nil || !strings.Contains(err.Error(), "sent nothing") {
		t.Errorf("%v", err)
	}
}

func TestFirstRequest(t *testing.T) {
	_, call := stones(t, "https://stones.example", `{"query":"red & blue"}`)
	got, err := tooling.FirstRequest(t.Context(), call)
	if want := "GET https://stones.example/find?key=[API key]&q=red+%26+blue\n"; got != want || err != nil {
		t.Errorf("%q, %v, want %q", got, err, want)
	}
}

func TestNeeds(t *testing.T) {
	conf, _ := stones(t, "https://stones.example", "{}")
	for name, want := range map[string]string{"stones": " (needs STONES_KEY and the setting host)", "arxiv_search": " (needs no key)",
		"searxng_search": " (needs no key and a server of yours at the setting host, http://127.0.0.1:8080)",
		"pubmed_search":  " (better with NCBI_API_KEY)", "calc": ""} {
		if got := tooling.Needed(conf, name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}
