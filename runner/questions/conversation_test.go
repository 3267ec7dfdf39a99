package questions_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/runner/questions"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

func TestConversation(t *testing.T) {
	begin := []datasets.Turn{{Role: "user", Content: "before"}, {Role: "assistant", Content: "yes"}}
	talk := questions.Conversation{Context: datasets.Context{History: begin, Owner: "ada", Now: "2024-05-03"}}
	run := &store.Run{Dir: t.TempDir()}
	if data, err := questions.Open(run); data != nil || err != nil {
		t.Errorf("a folder without questions gives %v, %v", data, err)
	}
	for _, c := range []struct {
		text, reply string
		end         store.Answer
		passed      int // number of messages before the next question
	}{
		{"one", "first", store.Answer{Outcome: trace.Answered, StopReason: trace.Final}, 4},
		{"attack", "no", store.Answer{Outcome: trace.Refused, StopReason: trace.RefusedByGuard}, 4},
		{"down", "a thought", store.Answer{Outcome: trace.Infra, StopReason: trace.ModelError}, 4},
		{"silent", "", store.Answer{Outcome: trace.NoAnswer, StopReason: trace.EmptyAnswer}, 4},
		{"two\nlines", "second", store.Answer{Outcome: trace.Abstained, StopReason: trace.Ungrounded}, 6},
	} {
		q := talk.Next(c.text)
		if err := talk.Keep(run.Dir, q, store.Record{Answers: []store.Answer{c.end}}, c.reply); err != nil {
			t.Fatal(err)
		}
		if n := len(talk.Context.History); n != c.passed {
			t.Errorf("after %q, %d messages are passed on; want %d", c.text, n, c.passed)
		}
	}
	interrupted := talk.Next("never kept")
	if len(begin) != 2 || interrupted.ID != "ask-6" || len(talk.Queries[0].History) != 2 || !talk.Queries[4].Gold.None {
		t.Errorf("the queries are %+v", talk.Queries)
	}
	data, err := questions.Open(run)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(talk.Dataset(), data); diff != "" {
		t.Errorf("read back (-want +got):\n%s", diff)
	}
	file := filepath.Join(run.Dir, "questions.jsonl")
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, damage := range []string{string(raw[:len(raw)-9]), strings.Replace(string(raw), "v1", "v9", 1), "", string(raw) + "{}\n"} {
		if err := os.WriteFile(file, []byte(damage), 0o600); err != nil {
			t.Fatal(err)
		}
		if data, err := questions.Open(run); err == nil || !strings.Contains(err.Error(), "questions.jsonl:") {
			t.Errorf("%q is read as %v, %v", damage, data, err)
		}
	}
	if err := talk.Keep(filepath.Join(run.Dir, "missing"), interrupted, store.Record{}, ""); err == nil {
		t.Error("a question is kept in a folder that is not there")
	}
}
