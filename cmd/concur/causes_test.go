package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// endpoint has one model, gpt-4o-mini, beneath /v1, and nothing elsewhere.
func endpoint(t *testing.T) string {
	t.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc("GET /v1/models", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `{"object": "list", "data": [{"id": "gpt-4o-mini"}, {"id": "text-embedding"}]}`)
	})
	mux.HandleFunc("POST /v1/chat/completions", func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusNotFound)
		fmt.Fprint(w, `{"error": {"message": "The model does not exist", "code": "model_not_found"}}`)
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server.URL
}

// What every first call gets ends the run: the whole of standard error has the cause and the way out.
func TestEndpointsThatRefuseEveryCallEndTheRun(t *testing.T) {
	base := endpoint(t)
	for _, c := range []struct {
		name, base, model string
		want              string
	}{
		{"misspelt model", base + "/v1", "gpt-4o-mni", `the endpoint lists no model "gpt-4o-mni", but gpt-4o-mini, text-embedding; `},
		{"no /v1", base, "gpt-4o-mini", "models are listed at " + base + "/v1: give it as OPENAI_BASE_URL; "},
	} {
		t.Setenv("OPENAI_API_KEY", "sk-test")
		t.Setenv("OPENAI_BASE_URL", c.base)
		code, out, errs := invoke("run", "--runs-dir", t.TempDir(), "--quiet", "--corpus", "offline", "--model", "openai:"+c.model)
		if code != exitInvalid || out != "" || !strings.Contains(errs, c.want) ||
			!strings.Contains(errs, "the endpoint is given up after 5 failures in a row") {
			t.Errorf("%s: exit %d, %q\n%s\nwant %q", c.name, code, out, errs, c.want)
		}
	}
}

// An agent that is not connected rightly ends the run with its cause in full, whether it has few traces or many.
func TestAgentsThatNeverWorkEndTheRun(t *testing.T) {
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no shell")
	}
	dir := t.TempDir()
	two := filepath.Join(dir, "two.jsonl")
	conf, base := filepath.Join(dir, "concur.yaml"), filepath.Join(dir, "baseline.jsonl")
	for name, content := range map[string]string{
		"crash.sh": "echo starting >&2; echo \"KeyError: 'nothing'\" >&2; echo bye >&2; exit 1\n",
		"field.sh": "echo '{\"respons\": \"Answer: 4\"}'\n",
		"plain.sh": "echo The answer is 4.\n",
		"two.jsonl": `{"id": "a", "category": "c", "query": "2+2?", "gold": {"type": "integer", "answer": "4"}, "source": "x"}` + "\n" +
			`{"id": "b", "category": "c", "query": "2+3?", "gold": {"type": "integer", "answer": "5"}, "source": "x"}` + "\n",
	} {
		write(t, filepath.Join(dir, name), content)
	}
	for _, c := range []struct{ script, want, refused string }{
		{"crash.sh", "its standard error says KeyError: 'nothing'", "no valid trace"},
		{"field.sh", `the reply has "respons", and no answer, message, outcome or error: print {"message": "…"}`, "could not be read"},
		{"plain.sh", `it ends in "The answer is 4.": print one, or set agent.output: text`, "could not be read"},
		{"missing.sh", "missing.sh", "no valid trace"},
	} {
		write(t, conf, fmt.Sprintf("agent: {exec: [%s, %s], proxy: false}\n", shell, filepath.Join(dir, c.script)))
		for _, dataset := range []string{two, "gold29"} {
			runs := t.TempDir()
			code, out, errs := invoke("run", dataset, "--runs-dir", runs, "--quiet", "--config", conf)
			if code != exitInvalid || !strings.Contains(errs, c.want) {
				t.Errorf("%s on %s: exit %d\n%s\nwant %q", c.script, dataset, code, errs, c.want)
			}
			if dataset != two {
				if !strings.Contains(errs, "its first 10 traces all failed") {
					t.Errorf("%s on %s: %s", c.script, dataset, errs)
				}
				continue
			}
			if !strings.Contains(out, "every trace crashed or gave a reply that could not be read") {
				t.Errorf("%s:\n%s", c.script, out)
			}
			code, _, errs = invoke("baseline", "add", "latest", "--runs-dir", runs, "--baseline", base)
			if code == exitOK || !strings.Contains(errs, "INVALID") || !strings.Contains(errs, c.refused) {
				t.Errorf("%s: accepted into a baseline: %s", c.script, errs)
			}
		}
	}
}
