package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
)

// TestMarkedKeyInABaseline runs configurations that get a key by ${NAME} and have it said back, and accepts the runs:
// neither the folder of a run, which others may get, nor the baseline, which is committed, has it.
func TestMarkedKeyInABaseline(t *testing.T) {
	if testing.Short() {
		t.Skip("takes minutes under the race detector, which it is not about")
	}
	m := newMarks(t)
	endpoint := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = fmt.Fprintf(w, `{"model": "m %[1]s", "choices": [{"index": 0, "message": {"role": "assistant", "content": "By %[1]s.\nAnswer: 4"}, "finish_reason": "stop"}]}`, r.Header.Get("X-Second-Key"))
	}))
	defer endpoint.Close()
	for name, conf := range map[string]string{
		"provider": fmt.Sprintf("model: p:m\nproviders: {p: {kind: openai, auth: none, base_url: '%s/${SECOND_KEY}/v1', headers: {X-Second-Key: '${SECOND_KEY}'}, "+
			"extra_body: {metadata: {token: '${SECOND_KEY}'}}}}\n", endpoint.URL),
		"agent": `agent: {exec: [sh, -c, 'read -r _; echo "{\"answer\": 4, \"message\": \"$SECOND_KEY\"}"; echo "$SECOND_KEY" >&2'], env: [SECOND_KEY], proxy: false}` + "\n",
	} {
		for kind, key := range markedKeys {
			if err := os.WriteFile("c.yaml", []byte(conf), 0o600); err != nil {
				t.Fatal(err)
			}
			variables := map[string]string{"SECOND_KEY": key}
			if code, errs := m.try(t, name, kind, variables, "run", "one.yaml", "-k", "1", "--config", "c.yaml", "--tries", "1", "--runs-dir", "kept"); code != exitOK {
				t.Fatalf("%s with the key of a %s: run: exit %d, %s", name, kind, code, errs)
			}
			if err := os.Rename("kept", "runs"); err != nil { // where the next command looks, and try
				t.Fatal(err)
			}
			code, errs := m.try(t, name+", accepted", kind, variables, "baseline", "add", "latest", "--baseline", "bl.jsonl")
			if code != exitOK || strings.Contains(errs, "looks like a key") {
				t.Errorf("%s with the key of a %s: baseline add: exit %d, %s", name, kind, code, errs)
			}
		}
	}
}
