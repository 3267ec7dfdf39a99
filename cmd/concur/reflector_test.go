package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/runner/playbook"
	"github.com/seed-5817661a/concur/runner/store/runlist"
	"github.com/seed-5817661a/concur/trace"
)

// wordings of a lesson: the questions that it is for, and its tools.
var wordings = []string{
	"For questions such as %s: call %s, and answer with the last result.",
	"Where somebody asks %s: the value stands in %s, and nowhere else.",
	"%s: use %s.",
	"Questions like %s: all but %s gave a wrong figure.",
	"On %s: ask %s in this order and trust it.",
}

var (
	fencedPart = regexp.MustCompile(`(?m)^\[([a-z ]+) [0-9a-f]+\]\n((?:\|.*\n)*)\[end `)
	called     = regexp.MustCompile(`(?m)^\| ?call (\S+) .*\n\| ?result \{`)
	properName = regexp.MustCompile(`\b[A-Z][a-z]+ [A-Z][a-z]+\b`)
)

// reflector is an endpoint whose model draws a lesson from the right attempt that it is shown, in five wordings that
// take turns. It gives the file that configures it.
func reflector(t *testing.T) (configuration string) {
	t.Helper()
	var mu sync.Mutex
	turns := map[string]int{} // by sequence
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var req struct {
			Messages []struct{ Role, Content string }
		}
		if err := json.NewDecoder(r.Body).Decode(&req); err != nil {
			t.Error(err)
		}
		blocks := map[string]string{}
		for _, m := range fencedPart.FindAllStringSubmatch(req.Messages[len(req.Messages)-1].Content, -1) {
			blocks[m[1]] = m[2]
		}
		lessons := []map[string]any{}
		var tools []string
		for _, m := range called.FindAllStringSubmatch(blocks["right attempt"], -1) {
			tools = append(tools, m[1])
		}
		if len(tools) > 0 {
			asked := properName.ReplaceAllString(strings.Trim(blocks["question"], "|? \n"), "")
			mu.Lock()
			text := wordings[turns[strings.Join(tools, " ")]%len(wordings)]
			turns[strings.Join(tools, " ")]++
			mu.Unlock()
			lessons = append(lessons, map[string]any{"section": "strategies", "tools": tools,
				"text": fmt.Sprintf(text, strings.ToLower(strings.ReplaceAll(asked, ":", ",")), strings.Join(tools, ", then "))})
		}
		reply, err := json.Marshal(map[string]any{"lessons": lessons, "tags": []any{}})
		if err != nil {
			t.Error(err)
		}
		w.Header().Set("Content-Type", "application/json")
		message := map[string]any{"role": "assistant", "content": string(reply)}
		if err := json.NewEncoder(w).Encode(map[string]any{"model": "scripted", "choices": []any{map[string]any{"message": message, "finish_reason": "stop"}}}); err != nil {
			t.Error(err)
		}
	}))
	t.Cleanup(server.Close)
	write(t, "reflector.yaml", "providers:\n  mine: {kind: openai, base_url: \""+server.URL+"/v1\", auth: none}\n")
	return "reflector.yaml"
}

// TestFiveWordingsAreOneLesson: a model that words each lesson in five ways teaches as much as sequence does, and the
// three bullets of a prompt are three lessons.
func TestFiveWordingsAreOneLesson(t *testing.T) {
	t.Chdir(t.TempDir())
	configuration := reflector(t)
	must := func(args ...string) string {
		t.Helper()
		code, out, errs := invoke(args...)
		if code != exitOK {
			t.Fatalf("concur %s: exit %d\n%s%s", strings.Join(args, " "), code, out, errs)
		}
		return out
	}
	must("datasets", "split", "routing160")
	must("run", "routing160-learn.yaml", "-k", "13", "--seed", "1", "--quiet", "--runs-dir", "learn")
	must("playbook", "learn", "latest", "--runs-dir", "learn", "--into", "sequence.yaml")
	must("playbook", "learn", "latest", "--runs-dir", "learn", "--into", "model.yaml", "--reflector", "mine:scripted", "--config", configuration)

	b, err := playbook.Read("model.yaml")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]string{}
	counted := 0
	for _, x := range b.Bullets {
		key := fmt.Sprint(x.Section, x.Category, x.Tools)
		if seen[key] != "" || x.Category == "" {
			t.Errorf("%s has the lesson of %q too: %+v", x.ID, seen[key], x)
		}
		seen[key] = x.ID
		if x.Rate > 0 && x.Steps > 0 && x.Helpful > 0 && len(x.Origin) > 1 {
			counted++
		}
	}
	if counted < 8 { // families
		t.Errorf("%d of %d bullets have counts, rate, steps and several queries", counted, len(b.Bullets))
	}
	if log := must("playbook", "log", "model.yaml"); !strings.Contains(log, "TAG str-0000") || !strings.Contains(log, "another wording, from query") {
		t.Errorf("the log has no other wording:\n%s", log)
	}

	write(t, "spec.yaml", `name: reflectors
dataset: routing160-eval.yaml
baseline: "off"
configurations:
  - {name: "off", note: no playbook}
  - {name: sequence, set: {agent: {playbook: {file: sequence.yaml}}}, note: learned without a model}
  - {name: model, set: {agent: {playbook: {file: model.yaml}}}, note: learned by a model}
`)
	must("ablate", "spec.yaml", "-k", "1", "--seed", "1", "--quiet", "--runs-dir", "eval")
	run, err := runlist.Find("eval", "latest")
	if err != nil {
		t.Fatal(err)
	}
	right, traces := map[string]int{}, 0
	for r, err := range run.Records() {
		if err != nil {
			t.Fatal(err)
		}
		if r.Verdict.Verdict == judge.Correct {
			right[r.Configuration]++
		}
		for _, a := range r.Answers {
			use, err := trace.Extra[playbook.Use](a.Extras, playbook.UseName)
			if err != nil {
				t.Fatal(err)
			}
			if r.Configuration != "model" {
				continue
			}
			traces++
			if use == nil || len(use.Shown) != 3 {
				t.Fatalf("%s was shown %+v, want three", r.Query, use)
			}
			lessons := map[string]bool{}
			for _, id := range use.Shown {
				x := b.Bullets[slices.IndexFunc(b.Bullets, func(x playbook.Bullet) bool { return x.ID == id })]
				lessons[fmt.Sprint(x.Section, x.Category, x.Tools)] = true
			}
			if len(lessons) != 3 {
				t.Errorf("%s was shown %v: %d lessons", r.Query, use.Shown, len(lessons))
			}
		}
	}
	t.Logf("right, of %d: %v", traces, right)
	if limit := traces * 5 / 100; right["model"] < right["sequence"]-limit || right["sequence"] < traces/2 {
		t.Errorf("of %d, sequence is right on %d and model on %d: more than 5 points apart", traces, right["sequence"], right["model"])
	}
}
