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

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/store/runlist"
)

// move is what a scripted model does in a turn: it calls the calculator, or says something.
type move struct {
	call   string // the arguments
	tool   string // that is called in place of the calculator
	says   string
	thinks string // apart
	finish string // "" is stop
}

// scripted is an endpoint whose model makes the moves of the question that it is asked, and
// the last of them ever after. It calls tools in the way in which they are offered, and does
// nothing else for the protocol's sake. It gives the configuration that asks it.
func scripted(t *testing.T, moves map[string][]move) (configuration string) {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var req struct {
			Messages []struct{ Role, Content string }
			Tools    []any
			Choice   string `json:"tool_choice"`
		}
		if err := json.NewDecoder(r.Body).Decode(&req); err != nil {
			t.Error(err)
		}
		turn := 0
		for _, m := range req.Messages {
			if m.Role == "assistant" {
				turn++
			}
		}
		question := moves[strings.TrimSuffix(req.Messages[1].Content, "?")]
		m := question[min(turn, len(question)-1)]
		if m.tool == "" {
			m.tool = "calc"
		}
		message := map[string]any{"role": "assistant", "content": m.says, "reasoning_content": m.thinks}
		switch {
		case m.call == "":
		case len(req.Tools) > 0:
			message["tool_calls"] = []any{map[string]any{"id": fmt.Sprint("call_", turn), "type": "function", "function": map[string]any{"name": m.tool, "arguments": m.call}}}
		default:
			message["content"] = strings.TrimSpace(m.says + "\nAction: " + m.tool + "\nAction Input: " + m.call)
		}
		finish := m.finish
		if finish == "" {
			finish = "stop"
		}
		w.Header().Set("Content-Type", "application/json")
		if err := json.NewEncoder(w).Encode(map[string]any{"model": "scripted", "choices": []any{map[string]any{"message": message, "finish_reason": finish}}}); err != nil {
			t.Error(err)
		}
	}))
	t.Cleanup(server.Close)
	configuration = filepath.Join(t.TempDir(), "concur.yaml")
	write(t, configuration, "model: mine:scripted\nagent: {tools: [calc], max_steps: 5}\nconsensus: {stages: [exact, majority]}\n"+
		"providers:\n  mine: {kind: openai, base_url: \""+server.URL+"/v1\", auth: none}\n")
	return configuration
}

// TestProtocolsOnEqualFooting: an ablation of the two protocols on one scripted model, which
// does the same in both, shows no difference.
func TestProtocolsOnEqualFooting(t *testing.T) {
	line := move{says: "It follows.\nAnswer: 5"}
	moves := map[string][]move{
		"Line":             {line},
		"Calls":            {{call: `{"expression": "2+3"}`}, line},
		"Calls twice":      {{call: `{"expression": "2+3"}`}, {call: `{"expression": "1+1"}`}, line},
		"Prose":            {{says: "I would say that it is five, more or less."}, line},
		"Prose alone":      {{says: "It is 5."}, {says: "It is 5."}},
		"Nothing":          {{says: ""}},
		"Thinks":           {{says: "<think>\nAnswer: 6\nAction: calc\n</think>\nAnswer: 5"}},
		"Thinks on":        {{says: "<think>\nAnswer: 6"}, line},
		"Cut off":          {{says: "It was in 464 - 1", finish: "length"}, line},
		"Cut off again":    {{says: "It was in 464 - 1", finish: "length"}},
		"Boxed":            {{says: `So it is $\boxed{5}$.`}},
		"Announced":        {{says: "Hence the answer is 5."}},
		"Abstains":         {{says: "Answer: [ABSTAIN]"}},
		"Does not know":    {{says: "Answer: I don't know"}},
		"Refuses":          {{says: "Answer: [REFUSE]"}},
		"Single quotes":    {{call: `{'expression': '2+3'}`}, line},
		"Trailing comma":   {{call: `{"expression": "2+3",}`}, line},
		"Broken":           {{call: `[1`}, line},
		"Broken for ever":  {{call: `[1`}},
		"Wrong argument":   {{call: `{"sum": "2+3"}`}, line},
		"Calls for ever":   {{call: `{"expression": "2+3"}`}},
		"Calls and says":   {{call: `{"expression": "2+3"}`, says: "I add them."}, line},
		"Calls, then cut":  {{call: `{"expression": "2+3"}`}, {says: "It is", finish: "length"}, line},
		"Wrong every time": {{says: "Answer: 6"}},
	}
	conf := scripted(t, moves)
	dir := t.TempDir()
	dataset, spec := filepath.Join(dir, "queries.jsonl"), filepath.Join(dir, "spec.yaml")
	var queries strings.Builder
	for question := range moves {
		fmt.Fprintf(&queries, `{"id": %q, "category": "calculation", "query": %q, "gold": {"type": "integer", "answer": "5"}, "source": "computed"}`+"\n",
			strings.ToLower(strings.NewReplacer(" ", "-", ",", "").Replace(question)), question+"?")
	}
	write(t, dataset, queries.String())
	write(t, spec, "name: protocols\nbase: {k: 1}\nconfigurations:\n  - {name: native}\n  - {name: text, set: {agent.protocol: text}}\n")
	code, out, errs := invoke("ablate", spec, "--dataset", dataset, "--config", conf, "--runs-dir", dir, "--quiet")
	if code != exitOK {
		t.Fatalf("exit %d: %s\n%s", code, errs, out)
	}
	run, err := runlist.Find(dir, runlist.Latest)
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]map[string]store.Record{"native": {}, "text": {}}
	for r, err := range run.Records() {
		if err != nil {
			t.Fatal(err)
		}
		rows[r.Configuration][r.Query] = r
	}
	correct := 0
	for id, native := range rows["native"] {
		text := rows["text"][id]
		words := cmpopts.IgnoreFields(store.Answer{}, "Cause") // names the part of the reply that is wrong
		if diff := cmp.Diff(native.Answers, text.Answers, words); diff != "" || native.Verdict != text.Verdict {
			t.Errorf("%s (-native +text):\n%s", id, diff)
		}
		if native.Verdict.Verdict == "correct" {
			correct++
		}
	}
	if len(rows["native"]) != len(moves) || correct < len(moves)/2 {
		t.Errorf("%d queries, %d correct", len(rows["native"]), correct)
	}
	for row := range strings.Lines(out) {
		if cells := strings.Fields(row); len(cells) > 5 && cells[0] == "text" && !strings.Contains(row, "  0    0  0 ~ (") && strings.Contains(row, "/24") {
			t.Errorf("a difference is shown: %s", row)
		}
	}
}

// TestThoughtsAreKept: what the model thinks apart, or in a block, is in both files of the
// run and shown by trace, is no part of the answer, and is not sent back.
func TestThoughtsAreKept(t *testing.T) {
	const apart, block = "The sum is two and three.", "Or is it six?"
	conf := scripted(t, map[string][]move{"What is two and three": {{thinks: apart, call: `{"expression": "2+3"}`}, {says: "<think>" + block + "</think>\nAnswer: 5"}}})
	dir := t.TempDir()
	code, out, errs := invoke("ask", "--config", conf, "--runs-dir", dir, "--quiet", "What is two and three?")
	if code != exitOK || strings.Contains(out, apart) || strings.Contains(out, block) || !strings.Contains(out, "answer  5") {
		t.Fatalf("exit %d: %s\n%s", code, errs, out)
	}
	run, err := runlist.Find(dir, filepath.Base(glob(t, filepath.Join(dir, "*"))))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{"chat.jsonl", "trace.jsonl"} {
		raw, err := os.ReadFile(filepath.Join(run.Dir, file))
		if err != nil || strings.Count(string(raw), apart) != 1 || strings.Count(string(raw), block) != 1 {
			t.Errorf("%s: %v\n%s", file, err, raw)
		}
	}
	if _, out, _ := invoke("trace", run.Dir, "ask-1"); !strings.Contains(out, apart) || !strings.Contains(out, block) {
		t.Errorf("trace does not show what the model thought:\n%s", out)
	}
}

// glob gives the one path that a pattern matches.
func glob(t *testing.T, pattern string) string {
	t.Helper()
	found, err := filepath.Glob(pattern)
	if err != nil || len(found) != 1 {
		t.Fatalf("%q, %v", found, err)
	}
	return found[0]
}

// TestAskPrintsLastWords: into a pipe too, what the model said last is printed: as the answer,
// or beside [no_answer].
func TestAskPrintsLastWords(t *testing.T) {
	conf := scripted(t, map[string][]move{
		"Who": {{says: "I have looked into the archive of the city."}},
		"Why": {{call: `{"expression": "2+3"}`, says: "I add them up."}, {call: `[`}},
	})
	for _, c := range []struct{ question, words, answer string }{
		{"Who?", "I have looked into the archive of the city.", "I have looked into the archive of the city."},
		{"Why?", "I add them up.", "[no_answer]"},
	} {
		code, out, errs := invoke("ask", "--config", conf, "--runs-dir", t.TempDir(), "--quiet", c.question)
		if code != exitOK || !strings.HasPrefix(out, c.words) || !strings.Contains(out, "answer  "+c.answer) {
			t.Errorf("exit %d: %s\n%s", code, errs, out)
		}
	}
}
