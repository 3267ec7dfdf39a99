package export_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/internal/golden"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/reports/export"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/store/runlist"
	"github.com/seed-5817661a/concur/trace"
)

// record writes a run of one query with five traces: two right that agree, with equal chats,
// one right with citations that fail, one wrong, and one right that no model was asked for.
func record(folder string) (*store.Run, error) {
	w, err := store.Create(folder, store.Manifest{Run: "r", Start: time.Unix(0, 0), Seed: 1})
	if err != nil {
		return nil, err
	}
	settings := &store.RequestSettings{Model: "m", Tools: []model.ToolSpec{{Name: "look", Description: "Looks.", Parameters: []byte(`{"type":"object"}`)}}}
	finish, name := "stop", "m"
	exchange := func(i, step, kept int, messages []model.Message, reply model.Message) {
		w.Exchange(store.Exchange{
			Identity: model.Identity{Agent: "a", Query: "q", Trace: i, Step: step, Purpose: model.Agent}, Kept: kept, Messages: messages,
			RequestSettings: settings, Response: &reply, Finish: &finish, Model: &name, Usage: &model.Usage{}, Attempts: 1,
		})
	}
	yes, no, answer, formula := true, false, "7", "=1+1"
	r := store.Record{Configuration: "default", Query: "q", Category: "c", Agent: "a", Expected: "7", Verdict: judge.Verdict{Verdict: judge.Correct}}
	agreement := 0.8
	r.Consensus = consensus.Decision{Method: consensus.Majority, Answer: &answer, Agreement: &agreement, Votes: []consensus.Class{{Key: "int:7", Traces: []int{0, 1, 2, 4}}, {Key: "int:2", Traces: []int{3}}}}
	for i, grounded := range []*bool{&yes, &yes, &no, nil, nil} {
		a := store.Answer{Trace: i, Answer: &answer, Outcome: trace.Answered, StopReason: trace.Final, Grounded: grounded, Verdict: judge.Correct, Extract: "line"}
		if i == 3 {
			a.Verdict, a.Answer = judge.Incorrect, &formula
		}
		r.Answers = append(r.Answers, a)
		if i == 4 {
			continue
		}
		call := model.Message{Role: model.Assistant, ToolCalls: []model.ToolCall{{ID: "c1", Name: "look", Arguments: `{"at":"<map>"}`}}}
		exchange(i, 0, 0, []model.Message{{Role: model.System, Content: "Be brief."}, {Role: model.User, Content: "How many?"}}, call)
		exchange(i, 1, 3, []model.Message{{Role: model.ToolRole, ToolCallID: "c1", Content: "7"}}, model.Message{Role: model.Assistant, Content: "Answer: 7"})
	}
	w.Record(r)
	if err := w.Finish(store.Complete, time.Unix(1, 0)); err != nil {
		return nil, err
	}
	return runlist.Find(folder, runlist.Latest)
}

func TestChats(t *testing.T) {
	run, err := record(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	counts, err := export.Chats(&out, run, "", nil)
	if err != nil {
		t.Fatal(err)
	}
	if want := (export.Counts{Traces: 5, Written: 1, Wrong: 1, Ungrounded: 1, Silent: 1, Repeated: 1}); counts != want {
		t.Errorf("got %+v, want %+v", counts, want)
	}
	want := `{"messages":[{"role":"system","content":"Be brief."},{"role":"user","content":"How many?"},` +
		`{"role":"assistant","content":"","tool_calls":[{"function":{"arguments":"{\"at\":\"<map>\"}","name":"look"},"id":"c1","type":"function"}]},` +
		`{"role":"tool","content":"7","tool_call_id":"c1"},{"role":"assistant","content":"Answer: 7"}],` +
		`"tools":[{"function":{"description":"Looks.","name":"look","parameters":{"type":"object"}},"type":"function"}]}` + "\n"
	if d := cmp.Diff(want, out.String()); d != "" {
		t.Error(d)
	}
	if counts, err := export.Chats(&out, run, "other", nil); err != nil || counts != (export.Counts{}) {
		t.Errorf("another configuration: %+v, %v", counts, err)
	}
}

func TestVotes(t *testing.T) {
	run, err := record(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := export.Votes(&out, run, "default"); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != 6 {
		t.Fatalf("%d lines", len(lines))
	}
	for i, want := range map[int]string{
		1: "default,q,c,0,7,,answered,final,correct,true,line,0,0,majority,0.8,true,7,correct,7",
		4: "default,q,c,3,'=1+1,,answered,final,incorrect,,line,0,0,majority,0.8,false,7,correct,7",
	} {
		if lines[i] != want {
			t.Errorf("line %d: got %s\nwant %s", i, lines[i], want)
		}
	}
}

func Example() {
	folder, err := os.MkdirTemp("", "runs")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(folder)
	run, err := record(folder)
	if err != nil {
		fmt.Println(err)
		return
	}
	var out bytes.Buffer
	counts, err := export.Chats(&out, run, "default", nil)
	var chat struct {
		Messages []struct{ Role, Content string }
	}
	fmt.Println(counts.Written, err, json.Unmarshal(out.Bytes(), &chat))
	fmt.Println(chat.Messages[len(chat.Messages)-1].Content)
	// Output:
	// 1 <nil> <nil>
	// Answer: 7
}

// A log of Inspect has every trace: tool calls as messages, verdicts as scores, lost traces as
// errors.
func TestInspect(t *testing.T) {
	folder := t.TempDir()
	conf := store.Configuration{Name: "default", Agent: "a", Configuration: config.New()}
	conf.Model, conf.K = "openai:m", 3
	end := time.Unix(9, 0).UTC()
	w, err := store.Create(folder, store.Manifest{
		Run: "r", Start: time.Unix(0, 0).UTC(), Seed: 1, Dataset: store.Dataset{Name: "set", Queries: 1, Of: 1}, Configurations: []store.Configuration{conf},
	})
	if err != nil {
		t.Fatal(err)
	}
	answer, cause, failed := "7", "the endpoint is down", "no such place"
	r := store.Record{Configuration: "default", Query: "q", Question: "How many?", Category: "c", Agent: "a", Expected: "7 (or one alias)"}
	r.Answers = []store.Answer{
		{Trace: 0, Answer: &answer, Outcome: trace.Answered, StopReason: trace.Final, Verdict: judge.Correct},
		{Trace: 1, Outcome: trace.Infra, StopReason: trace.ModelError, Cause: &cause, Verdict: judge.Unscored},
		{Trace: 2, Outcome: trace.Refused, StopReason: trace.Final, Verdict: judge.Unscored},
	}
	add := func(i, step int, b trace.Body) {
		w.Event(trace.Event{ID: trace.ID{Agent: "a", Query: "q", Trace: i}, Step: step, Body: b})
	}
	add(0, 0, trace.Thought{Content: "Look."})
	add(0, 0, trace.Action{Name: "look", Input: json.RawMessage(`{"at":"<map>"}`), CallID: "1"})
	add(0, 0, trace.Action{Name: "look", Input: json.RawMessage(`"not an object"`), CallID: "2"})
	add(0, 0, trace.Observation{CallID: "1", Output: json.RawMessage(`"seven"`)})
	add(0, 0, trace.Observation{CallID: "2", Error: &failed})
	add(0, 1, trace.Conclusion{Message: "Answer: 7", Answer: &answer, Outcome: trace.Answered, StopReason: trace.Final, Usage: model.Usage{InputTokens: 5, OutputTokens: 2}, Timing: trace.Timing{WallS: 1.5}})
	w.Record(r)
	if err := w.Finish(store.Complete, end); err != nil {
		t.Fatal(err)
	}
	run, err := store.Open(w.Dir())
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := export.Inspect(&out, run, "", map[string][]string{"q": {"7", "seven"}}); err != nil {
		t.Fatal(err)
	}
	golden.Check(t, "testdata/inspect.json", out.String())

	run.Manifest.Configurations = append(run.Manifest.Configurations, store.Configuration{Name: "other"})
	if err := export.Inspect(&out, run, "", nil); err == nil || !strings.Contains(err.Error(), "choose one with --configuration, of default, other") {
		t.Error(err)
	}
}
