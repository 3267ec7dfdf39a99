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
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/reports/export"
	"github.com/seed-5817661a/concur/runner/model"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/trace"
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
	r.Consensus = consensus.Decision{Method: consensus.Majority, Answer: &answer, Agreement: &agreement, Votes: []consensus.Vote{{Key: "int:7", Traces: []int{0, 1, 2, 4}}, {Key: "int:2", Traces: []int{3}}}}
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
	return store.Find(folder, store.Latest)
}

func TestChats(t *testing.T) {
	run, err := record(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	counts, err := export.Chats(&out, run, "")
	if err != nil {
		t.Fatal(err)
	}
	if want := (export.Counts{Traces: 5, Written: 1, Wrong: 1, Ungrounded: 1, Silent: 1, Repeated: 1}); counts != want {
		t.Errorf("got %+v, want %+v", counts, want)
	}
	want := `{"messages":[{"role":"system","content":"Be brief."},{"role":"user","content":"How many?"},` +
		`{"role":"assistant","content":"","tool_calls":[{"id":"c1","type":"function","function":{"name":"look","arguments":"{\"at\":\"<map>\"}"}}]},` +
		`{"role":"tool","content":"7","tool_call_id":"c1"},{"role":"assistant","content":"Answer: 7"}],` +
		`"tools":[{"type":"function","function":{"name":"look","description":"Looks.","parameters":{"type":"object"}}}]}` + "\n"
	if d := cmp.Diff(want, out.String()); d != "" {
		t.Error(d)
	}
	if counts, err := export.Chats(&out, run, "other"); err != nil || counts != (export.Counts{}) {
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
	counts, err := export.Chats(&out, run, "default")
	var chat struct {
		Messages []struct{ Role, Content string }
	}
	fmt.Println(counts.Written, err, json.Unmarshal(out.Bytes(), &chat))
	fmt.Println(chat.Messages[len(chat.Messages)-1].Content)
	// Output:
	// 1 <nil> <nil>
	// Answer: 7
}
