//go:build peers

package peers

import (
	"bufio"
	"encoding/json"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const (
	serveKey    = "a-key-for-the-loopback"
	servedModel = "offline:reader"
)

// serveModel starts concur serve.
func (b bench) serveModel(t *testing.T) (url string) {
	t.Helper()
	return b.start(t, regexp.MustCompile(`at (http://127\.0\.0\.1:\d+)/v1$`), []string{"CONCUR_SERVE_KEY=" + serveKey},
		b.concur, "serve", "--model", servedModel, "--addr", "127.0.0.1:0")
}

// testClients runs the vendors' own clients against concur serve.
func testClients(t *testing.T, b bench) {
	base := b.serveModel(t)
	t.Run("openai", func(t *testing.T) { b.script(t, nil, b.node, "openai.mjs", base+"/v1", serveKey, servedModel) })
	t.Run("responses", func(t *testing.T) { b.script(t, nil, b.node, "responses.mjs", base+"/v1", serveKey, servedModel) })
	t.Run("anthropic", func(t *testing.T) { b.script(t, nil, b.node, "anthropic.mjs", base, serveKey, servedModel) })
	t.Run("python", func(t *testing.T) {
		python := lookUpPython(t)
		packages := filepath.Join(b.dir, "python")
		b.install(t, python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-cache-dir", "--no-deps", "--only-binary=:all:", "--retries=1", "--target="+packages, "-r", "requirements.txt")
		b.script(t, []string{"PYTHONPATH=" + packages}, python, "openai_client.py", base+"/v1", serveKey, servedModel)
	})
}

// script runs a script of cases and makes each case a test of its own.
func (b bench) script(t *testing.T, env []string, program, name string, args ...string) {
	stdout, stderr, code := b.run(t, env, program, append([]string{name}, args...)...)
	cases, whole := 0, false
	for lines := bufio.NewScanner(strings.NewReader(stdout)); lines.Scan(); {
		var c struct{ Name, Status, Detail string }
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Errorf("%s printed %q: %v", name, lines.Text(), err)
			continue
		}
		if c.Status == "done" {
			whole = true
			continue
		}
		cases++
		t.Run(c.Name, func(t *testing.T) {
			if c.Status != "pass" {
				t.Error(c.Detail)
			}
		})
	}
	if !whole || code != 0 || cases == 0 || stderr != "" {
		t.Errorf("%s ran %d cases and ended with %d:\n%s", name, cases, code, stderr)
	}
}
