package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/runner/store"
)

const rivers = `description: Finds rivers.
evidence: river
parameters:
  query: {type: string, description: Words.}
settings: {host: null}
auth: [{env: RIVERS_KEY, bearer: true}]
requests:
  - url: =$settings.host + "/find"
    query: {q: =$args.query}
    empty: .total == 0
documents: {each: '.items[]'}
`

const riversKey = "rivers-key-0815"

// TestToolOfAFile runs, replays and changes a tool that is a file.
func TestToolOfAFile(t *testing.T) {
	t.Chdir(t.TempDir())
	asked := 0
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked++
		fmt.Fprintf(w, `{"items":[{"id":"1","title":"Anduin","source":"https://rivers.example/1","snippet":"The Anduin is 2233 kilometres long. %s"}]}`,
			r.Header.Get("Authorization"))
	}))
	defer service.Close()
	write(t, "rivers.yaml", rivers)
	write(t, "concur.yaml", "model: offline:reader\nagent: {tools: [rivers]}\ntools: {rivers: {api: rivers.yaml, settings: {host: \""+service.URL+"\"}}}\n")
	write(t, "q.yaml", `- {id: a, category: facts, query: "How long is the Anduin, in kilometres?", gold: {type: quantity, answer: 2233 km}}`+"\n")
	t.Setenv("RIVERS_KEY", riversKey)
	run := func(args ...string) store.Manifest {
		t.Helper()
		code, _, errs := invoke(append([]string{"run", "q.yaml", "--runs-dir", "runs", "--quiet"}, args...)...)
		if code != exitOK {
			t.Fatalf("%v: exit %d: %s", args, code, errs)
		}
		return newest(t, "runs").Manifest
	}
	first := run()
	if asked == 0 {
		t.Fatal("the service was not asked")
	}
	agent := func(m store.Manifest) string { return m.Configurations[0].Agent }

	write(t, "rivers.yaml", "# a comment\n"+rivers)
	if same := run(); agent(same) != agent(first) {
		t.Errorf("a comment changes the agent hash")
	}
	write(t, "rivers.yaml", strings.Replace(rivers, "Finds rivers", "Finds long rivers", 1))
	if other := run(); agent(other) == agent(first) {
		t.Errorf("another description has the same agent hash")
	}
	asked = 0
	os.Unsetenv("RIVERS_KEY")
	if err := os.Remove("rivers.yaml"); err != nil {
		t.Fatal(err)
	}
	code, _, errs := invoke("run", "--runs-dir", "runs", "--quiet", "--replay", first.Run)
	if code != exitOK || asked != 0 {
		t.Errorf("replay: exit %d, %d requests: %s", code, asked, errs)
	}
	err := filepath.WalkDir("runs", func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		if strings.Contains(string(text), riversKey) {
			t.Errorf("%s has the key", path)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
	if raw, err := json.Marshal(first.Configurations[0]); err != nil || !strings.Contains(string(raw), "Finds rivers.") {
		t.Errorf("the manifest has no text of the file: %s, %v", raw, err)
	}
}
