package imports_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/model/asking/askingtest"
	"github.com/seed-5817661a/concur/runner/extract"
	"github.com/seed-5817661a/concur/runner/imports"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

// sentences has chats whose second reply gives its answer in a way that the rules do not read.
const sentences = `{"id":"leave","gold":"30 days","messages":[{"role":"user","content":"How many days of leave are there?"},{"role":"assistant","content":"Answer: 30 days"}]}
{"id":"leave","gold":"30 days","messages":[{"role":"user","content":"How many days of leave are there?"},{"role":"assistant","content":"Sure! Our handbook gives everybody 30 days off, and I would not change that."}]}
{"id":"leave","gold":"30 days","messages":[{"role":"user","content":"How many days of leave are there?"},{"role":"assistant","content":""}]}
`

func recordOf(t *testing.T, reader *extract.Reader) store.Record {
	t.Helper()
	file := filepath.Join(t.TempDir(), "chats.jsonl")
	if err := os.WriteFile(file, []byte(sentences), 0o600); err != nil {
		t.Fatal(err)
	}
	log, err := imports.Open(file, "", "")
	if err != nil {
		t.Fatal(err)
	}
	log.Extractor = reader
	records, err := saved(t, log).Sorted()
	if err != nil || len(records) != 1 || len(records[0].Answers) != 3 {
		t.Fatalf("%d records, %v", len(records), err)
	}
	return records[0]
}

// TestUnreadMessages checks that a message in which the rules find no answer has none, unless a model reads
// it.
func TestUnreadMessages(t *testing.T) {
	byRules := recordOf(t, nil)
	if a := byRules.Answers[1]; a.Outcome != trace.NoAnswer || a.Cause == nil || *a.Cause != trace.CouldNotRead || !a.Unread {
		t.Errorf("by rules: %+v", a)
	}
	if a := byRules.Answers[2]; a.Outcome == trace.Answered || a.Unread {
		t.Errorf("an empty message: %+v", a)
	}
	fake := askingtest.Script(`{"words": "30 days"}`)
	byModel := recordOf(t, &extract.Reader{Model: fake, Name: "test:fake"})
	if a := byModel.Answers[1]; a.Outcome != trace.Answered || a.Extract != extract.FromModel || a.Verdict != judge.Correct || len(fake.Requests()) != 1 {
		t.Errorf("by a model: %+v", a)
	}
	if x := byModel.Extraction; x == nil || x.Read != 1 || x.Model != "test:fake" {
		t.Errorf("summed up as %+v", x)
	}
}

// TestUnreadCalls checks that markup of a call that was not run is not the answer of a recorded chat, and
// that no extractor is asked about it.
func TestUnreadCalls(t *testing.T) {
	const chats = `{"id":"q","gold":5,"messages":[{"role":"user","content":"How many?"},{"role":"assistant","content":"<tool_call>count <arg_key>n</arg_key><arg_value>5</arg_value></tool_call>"}]}
{"id":"q","gold":5,"messages":[{"role":"user","content":"How many?"},{"role":"assistant","content":"Answer: 5"}]}
`
	file := filepath.Join(t.TempDir(), "chats.jsonl")
	if err := os.WriteFile(file, []byte(chats), 0o600); err != nil {
		t.Fatal(err)
	}
	log, err := imports.Open(file, "", "")
	if err != nil {
		t.Fatal(err)
	}
	fake := askingtest.Script("{\"answer\": \"5\"}")
	log.Extractor = &extract.Reader{Name: "test:fake", Model: fake}
	records, err := saved(t, log).Sorted()
	if err != nil || len(records) != 1 || len(records[0].Answers) != 2 {
		t.Fatalf("%d records, %v", len(records), err)
	}
	first, second := records[0].Answers[0], records[0].Answers[1]
	if first.Outcome != trace.NoAnswer || first.Cause == nil || !strings.Contains(*first.Cause, "<tool_call>") {
		t.Errorf("the call: %s, cause %v", first.Outcome, first.Cause)
	}
	if n := len(fake.Requests()); n > 0 {
		t.Errorf("the extractor was asked %d times", n)
	}
	if second.Outcome != trace.Answered || second.Answer == nil || *second.Answer != "5" {
		t.Errorf("the sentence: %+v", second)
	}
}
