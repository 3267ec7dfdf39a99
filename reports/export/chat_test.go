package export_test

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/internal/golden"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/reports/export"
	"github.com/seed-5817661a/concur/runner/store"
)

// stored writes exchanges into a new run folder and opens it.
func stored(t *testing.T, exchanges ...store.Exchange) *store.Run {
	t.Helper()
	start := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	w, err := store.Create(t.TempDir(), store.Manifest{Run: "run-1", Start: start})
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range exchanges {
		w.Exchange(x)
	}
	if err := w.Finish(store.Complete, start.Add(time.Second)); err != nil {
		t.Fatal(err)
	}
	run, err := store.Open(w.Dir())
	if err != nil {
		t.Fatal(err)
	}
	return run
}

func exchange(query string, index, step int, added []model.Message, response *model.Message) store.Exchange {
	return store.Exchange{
		Identity: model.Identity{Agent: "3f2a", Query: query, Trace: index, Step: step, Purpose: model.Agent},
		Messages: added, Response: response,
	}
}

func user(content string) []model.Message {
	return []model.Message{{Role: model.User, Content: content}}
}

func says(content string, calls ...model.ToolCall) *model.Message {
	return &model.Message{Role: model.Assistant, Content: content, ToolCalls: calls}
}

func readChat(t *testing.T, run *store.Run) string {
	t.Helper()
	var out strings.Builder
	if err := export.Chat(&out, run); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// Traces interleave in the file and stand in order in the document; an exchange adds to
// what its trace has seen so far.
func TestChat(t *testing.T) {
	failed := exchange("hop-02", 0, 0, user("Who?"), nil)
	failed.Error = pointer("model endpoint: 503 after 4 attempts")
	found := []model.Message{{Role: model.ToolRole, ToolCallID: "call_1", Content: `{"documents":[{"id":"corpus_1"}]}`}}
	run := stored(t,
		exchange("hop-02", 1, 0, user("Who?"), says("Answer: [ABSTAIN]")),
		exchange("hop-01", 1, 0, user("Which river?"), says("Answer: Nile")),
		exchange("hop-01", 0, 0, append([]model.Message{{Role: model.System, Content: "Be brief."}}, user("Which river?")...),
			says("Look it up.", model.ToolCall{ID: "call_1", Name: "web_search", Arguments: `{"query":"longest river"}`})),
		failed,
		exchange("hop-01", 0, 1, found, says("It is the Nile [corpus_1].\n\nAnswer: Nile\n")),
		store.Exchange{
			Identity: model.Identity{Agent: "verifier:00ff", Query: "hop-01", Purpose: model.Verifier},
			Messages: user("Same?"), Response: says(`{"equivalent":true}`),
		},
	)
	golden.Check(t, "testdata/chat.md", readChat(t, run))
}

// Whatever a message holds, it stays within its block: the fences around it are longer
// than any within.
func TestChatFences(t *testing.T) {
	for _, content := range []string{
		"```\ncode\n```", "````\n```\n````", "`````````", "~~~", "```text", "tail```", "\n\n", "# heading\n**user**", "<script>",
	} {
		run := stored(t, exchange("q", 0, 0, user(content), nil))
		chat := readChat(t, run)
		_, block, ok := strings.Cut(chat, "**user**\n\n")
		fence := regexp.MustCompile("^`+").FindString(block)
		if !ok || len(fence) < 3 {
			t.Fatalf("%q: no block in %q", content, chat)
		}
		want := fence + "text\n" + strings.TrimRight(content, "\n") + "\n" + fence + "\n"
		if block != want || strings.Contains(content, fence) {
			t.Errorf("%q became %q", content, block)
		}
	}
}

func TestChatOfALargeRun(t *testing.T) {
	var exchanges []store.Exchange
	for i := range export.MaxChatTraces {
		exchanges = append(exchanges, exchange("q", i, 0, user("?"), says("!")), exchange("q", i, 1, nil, says("!")))
	}
	run := stored(t, exchanges...)
	if n := strings.Count(readChat(t, run), "\n## "); n != export.MaxChatTraces {
		t.Errorf("%d conversations, want %d", n, export.MaxChatTraces)
	}

	run = stored(t, append(exchanges, exchange("q", export.MaxChatTraces, 0, user("?"), says("!")))...)
	var out strings.Builder
	if err := export.Chat(&out, run); !errors.Is(err, export.ErrTooManyTraces) {
		t.Errorf("one more: error %v, want %v", err, export.ErrTooManyTraces)
	}
	if out.Len() > 0 {
		t.Errorf("a part was written all the same: %.60s", &out)
	}
}

func TestChatErrors(t *testing.T) {
	run := stored(t, exchange("q", 0, 0, user("?"), says("!")))
	path := filepath.Join(run.Dir, "chat.jsonl")
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, append(raw, "{broken}\n"...), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := export.Chat(io.Discard, run); err == nil || !strings.Contains(err.Error(), "chat.jsonl:3") {
		t.Errorf("error %v, want one that names the line", err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := export.Chat(io.Discard, run); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("error %v, want one of a missing file", err)
	}
}

// The document begins with the verdicts, writes a system prompt once, and shows in place of
// what could steer a terminal that it was there.
func TestChatVerdictsAndInstructions(t *testing.T) {
	w, err := store.Create(t.TempDir(), store.Manifest{Run: "run-1", Configurations: []store.Configuration{
		{Name: "full", Agent: "3f2a"}, {Name: "no calculator", Agent: "77aa"},
	}})
	if err != nil {
		t.Fatal(err)
	}
	prompted := func(agent string) store.Exchange {
		x := exchange("hop-01", 0, 0, append([]model.Message{{Role: model.System, Content: "Be brief."}}, user("Which\x1b[2J river?")...), says("Answer: Nile"))
		x.Agent = agent
		return x
	}
	w.Exchange(prompted("3f2a"))
	w.Exchange(prompted("77aa"))
	w.Record(store.Record{
		Configuration: "full", Query: "hop-01", Consensus: consensus.Decision{Answer: pointer("`Nile`")},
		Verdict: judge.Verdict{Verdict: judge.Incorrect, Reason: "expected Amazon"},
	})
	if err := w.Finish(store.Complete, time.Now()); err != nil {
		t.Fatal(err)
	}
	run, err := store.Open(w.Dir())
	if err != nil {
		t.Fatal(err)
	}
	chat := readChat(t, run)
	for text, times := range map[string]int{
		"- hop-01, full: **incorrect** (expected Amazon), answer `'Nile'`\n": 1, "Be brief.": 1, "\x1b": 0, "Which\uFFFD[2J river?": 2,
		"## hop-01, full, trace 0": 1, "## hop-01, no calculator, trace 0": 1, "**system**: instructions 1, as above": 1,
	} {
		if got := strings.Count(chat, text); got != times {
			t.Errorf("%q is there %d times, want %d, in:\n%s", text, got, times, chat)
		}
	}
}

func pointer[T any](v T) *T { return &v }
