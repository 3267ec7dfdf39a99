//go:build peers

package peers

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// mockKey must never be seen in what concur prints or writes.
const mockKey = "sk-mock-4711"

// mock starts an independent mock of the vendors' endpoints, whose count of requests is new.
func (b bench) mock(t *testing.T) (url string) {
	t.Helper()
	return b.start(t, regexp.MustCompile(`^(http://127\.0\.0\.1:\d+)$`), nil, b.node, "mock.mjs")
}

func testMock(t *testing.T, b bench) {
	t.Run("run openai", func(t *testing.T) {
		b.runs(t, provider{"openai:gpt-4o-mini", "OPENAI", "/v1", "/chat/completions"})
	})
	t.Run("run anthropic", func(t *testing.T) {
		b.runs(t, provider{"anthropic:claude-haiku-4-5", "ANTHROPIC", "", "/v1/messages"})
	})
	t.Run("model openai", func(t *testing.T) { testModel(t, openAI(t, b.mock(t))) })
	t.Run("model responses", func(t *testing.T) { testModel(t, responsesModel(t, b.mock(t))) })
	t.Run("model anthropic", func(t *testing.T) { testModel(t, anthropicModel(t, b.mock(t))) })
}

// provider is an endpoint in concur's settings, and the expected requests.
type provider struct{ model, variables, base, path string }

// configuration is the part of a run's result that the tests look at.
type configuration struct {
	Counts struct{ Queries, Correct, Unscored int }
	Usage  struct {
		ModelCalls   int `json:"model_calls"`
		ToolCalls    int `json:"tool_calls"`
		InputTokens  int `json:"input_tokens"`
		OutputTokens int `json:"output_tokens"`
	}
	Traces struct {
		Total    int
		Outcomes map[string]int
	}
}

// runs takes the dataset through concur run: its first two queries, for which the mock has
// replies with calls; then one for which it refuses the key, so that the variable of the key
// must be named; then one for which it asks to wait a second, and has a reply after that.
func (b bench) runs(t *testing.T, p provider) {
	url := b.mock(t)
	env := []string{p.variables + "_BASE_URL=" + url + p.base, p.variables + "_API_KEY=" + mockKey}
	folder := t.TempDir()
	run := func(want int, args ...string) (stdout, stderr string) {
		t.Helper()
		stdout, stderr, code := b.run(t, env, b.concur, append([]string{
			"run", "queries.yaml", "--model", p.model, "--seed", "1", "--quiet", "--format", "json", "--runs-dir", folder,
		}, args...)...)
		if code != want {
			t.Fatalf("exit code %d, want %d:\n%s%s", code, want, stdout, stderr)
		}
		if strings.Contains(stdout+stderr, mockKey) {
			t.Error("the key is printed")
		}
		return stdout, stderr
	}
	stdout, _ := run(0, "--limit", "2", "-k", "3")
	c := resultOf(t, stdout)
	if c.Counts.Queries != 2 || c.Counts.Correct != 2 || c.Traces.Total != 6 || c.Traces.Outcomes["answered"] != 6 {
		t.Errorf("counts %+v, traces %+v", c.Counts, c.Traces)
	}
	// What replies.json says of two turns for each query, in three traces.
	if u := c.Usage; u.ModelCalls != 12 || u.ToolCalls != 9 || u.InputTokens != 3*(101+103+105+107) || u.OutputTokens != 3*(11+13+15+17) {
		t.Errorf("usage %+v", u)
	}
	checkJournal(t, url, p.base+p.path)

	if stdout, stderr := run(3, "--query", "refused", "-k", "1"); !strings.Contains(stdout+stderr, p.variables+"_API_KEY") {
		t.Errorf("after a refusal the key's variable is not named:\n%s%s", stdout, stderr)
	}
	stdout, _ = run(0, "--query", "later", "-k", "1")
	if c := resultOf(t, stdout); c.Counts.Correct != 1 || c.Usage.ModelCalls != 1 {
		t.Errorf("after a wait %+v", c)
	}
	checkFiles(t, folder)
}

func resultOf(t *testing.T, stdout string) configuration {
	t.Helper()
	var s struct{ Configurations []configuration }
	if err := json.Unmarshal([]byte(stdout), &s); err != nil || len(s.Configurations) != 1 {
		t.Fatalf("read the result of one configuration: %v\n%s", err, stdout)
	}
	return s.Configurations[0]
}

// checkJournal looks at what arrived at the mock, as the mock understood it.
func checkJournal(t *testing.T, url, path string) {
	t.Helper()
	resp, err := http.Get(url + "/__aimock/journal?path=" + path)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var entries []struct {
		Path string
		Body struct {
			Messages []struct {
				Role  string
				Calls []struct{ ID string } `json:"tool_calls"`
				Call  string                `json:"tool_call_id"`
			}
			Tools []struct{ Function struct{ Name string } }
			Seed  *int64
		}
		Response struct{ Status int }
	}
	if err := json.NewDecoder(resp.Body).Decode(&entries); err != nil {
		t.Fatal(err)
	}
	seeds, roles := map[int64]int{}, map[string]int{}
	for _, e := range entries {
		var tools, turns []string
		for _, tool := range e.Body.Tools {
			tools = append(tools, tool.Function.Name)
		}
		for _, m := range e.Body.Messages {
			turns = append(turns, m.Role)
		}
		if diff := cmp.Diff([]string{"planner", "web_search", "calc"}, tools); diff != "" || e.Path != path || e.Response.Status != 200 {
			t.Errorf("%s answered %d; tools (-want +got):\n%s", e.Path, e.Response.Status, diff)
		}
		roles[strings.Join(turns, " ")]++
		if e.Body.Seed != nil {
			seeds[*e.Body.Seed]++
		}
	}
	want := map[string]int{"system user": 6, "system user assistant tool": 3, "system user assistant tool tool": 3}
	if diff := cmp.Diff(want, roles); diff != "" {
		t.Errorf("turns (-want +got):\n%s", diff)
	}
	if n := len(seeds); n != 6 && path == "/v1/chat/completions" {
		t.Errorf("%d seeds, want one for each of 6 traces", n)
	}
}

// checkFiles looks for the key in whatever a run has written.
func checkFiles(t *testing.T, dir string) {
	t.Helper()
	files := 0
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		raw, err := os.ReadFile(path)
		if files++; bytes.Contains(raw, []byte(mockKey)) {
			t.Errorf("%s holds the key", d.Name())
		}
		return err
	})
	if err != nil || files == 0 {
		t.Errorf("look at %d files of the run: %v", files, err)
	}
}
