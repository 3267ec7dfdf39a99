package datasets_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/trace"
)

const conversation = `- id: rivers
  category: geography
  source: computed
  locale: de
  owner: ada
  max_steps: 3
  tags: [long]
  turns:
    - query: " How long is the Danube? "
      gold: {type: quantity, answer: "2.850 km", tolerance: 10, aliases: ["2.851 km"]}
    - query: "How old is its king?"
      gold: {premise: false}
      expects: {none: true}
    - query: "Say something."
      gold: {all_of: [water, [river, stream]], condition: "is polite"}
`

// TestTurnsAreReadAndWritten checks the turns of a conversation, each with a gold of its own, in all forms that can
// hold them.
func TestTurnsAreReadAndWritten(t *testing.T) {
	d, err := loadText(t, conversation)
	if err != nil {
		t.Fatal(err)
	}
	q := d.Queries[0]
	if want := "1. How long is the Danube?\n2. How old is its king?\n3. Say something."; q.Text != want {
		t.Errorf("text %q, want %q", q.Text, want)
	}
	if want := "1. 2.850 km (or one alias) 2. [premise denied] 3. the keywords water, river or stream"; q.Expected() != want {
		t.Errorf("expected %q, want %q", q.Expected(), want)
	}
	if g := q.Turns[0].Gold; g.Type != answer.Quantity || g.Locale != "de" || g.Outcome != trace.Answered {
		t.Errorf("gold of turn 1: %+v", g)
	}
	if g := q.Turns[1].Gold.FalsePremise; !strings.HasPrefix(g, "How old is its king?") || !strings.Contains(g, "user: How long is the Danube?") {
		t.Errorf("the premise of turn 2 is looked for in %q", g)
	}
	if !q.HasCondition() || !q.ExpectsCalls() || q.Gold.Condition != "" || q.Expects != nil {
		t.Errorf("condition %t, expects %t", q.HasCondition(), q.ExpectsCalls())
	}
	for _, f := range []datasets.Format{datasets.YAML, datasets.JSONL} {
		var out bytes.Buffer
		if err := d.Write(&out, f); err != nil {
			t.Fatal(err)
		}
		again, err := datasets.Parse(&out, f, "talk")
		if err != nil || again.Hash != d.Hash {
			t.Errorf("%s: read back as %+v, %v", f, again, err)
		}
	}
	if err := d.Write(&bytes.Buffer{}, datasets.CSV); err == nil || !strings.Contains(err.Error(), "query rivers has turns, which CSV cannot hold") {
		t.Errorf("CSV: %v", err)
	}
	line, err := new(datasets.LineEncoder).Line(&q)
	if err != nil {
		t.Fatal(err)
	}
	back, err := datasets.ReadLine(line)
	if diff := cmp.Diff(q, back); diff != "" || err != nil {
		t.Errorf("error %v; read from its line (-want +got):\n%s", err, diff)
	}
	other := q
	other.Turns = append([]datasets.ScriptedTurn{}, q.Turns...)
	other.Turns[2].Gold.Condition = "is rude"
	if other.Hash() == q.Hash() {
		t.Error("the hash does not depend on the gold of a turn")
	}
	if raw, _ := json.Marshal(datasets.Query{ID: "a"}); strings.Contains(string(raw), "turns") {
		t.Errorf("a query without turns mentions them, which changes old hashes: %s", raw)
	}
}

// TestTurnOfAConversation checks a turn as a query of its own.
func TestTurnOfAConversation(t *testing.T) {
	d, err := loadText(t, conversation)
	if err != nil {
		t.Fatal(err)
	}
	q := d.Queries[0]
	q.History = []datasets.Turn{{Role: "user", Content: "Hello."}}
	said := []datasets.Turn{{Role: "user", Content: "How long is the Danube?"}, {Role: "assistant", Content: "Long."}}
	turn := q.Turn(1, said)
	want := []datasets.Turn{{Role: "user", Content: "Hello."}, said[0], said[1]}
	if diff := cmp.Diff(want, turn.History); diff != "" || turn.Turns != nil || turn.Text != "How old is its king?" || turn.Expects == nil || turn.ID != "rivers" || turn.MaxSteps != 3 || turn.Owner != "ada" {
		t.Errorf("turn %+v; history (-want +got):\n%s", turn, diff)
	}
	if diff := cmp.Diff([]datasets.Turn{{Role: "user", Content: "How long is the Danube?"}, {Role: "user", Content: "How old is its king?"}}, q.MessagesBefore(2)); diff != "" {
		t.Errorf("said before turn 3 (-want +got):\n%s", diff)
	}
}

// TestTurnsOfOtherPrograms checks that a field named turns that is no list is metadata, as it was.
func TestTurnsOfOtherPrograms(t *testing.T) {
	d, err := loadText(t, `- {question: "What is 1 plus 1?", answer: 2, turns: 7}`)
	if err != nil || d.Queries[0].Meta["turns"] != "7" || d.Queries[0].Turns != nil {
		t.Errorf("%+v, %v", d, err)
	}
}

// TestLintOfTurns checks that the rules for golds find faults in turns, at their places.
func TestLintOfTurns(t *testing.T) {
	path := writeFile(t, "talk.yaml", `- id: a
  category: c
  source: computed
  turns:
    - {query: "Is it 4?", gold: {type: integer, answer: "4"}}
    - query: "How much of it?"
      gold:
        type: percent
        answer: "27.3"
`)
	_, found, err := datasets.Lint(path)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range found {
		got = append(got, strings.Join([]string{f.Query, string(f.Rule)}, " "))
	}
	if diff := cmp.Diff([]string{"a gold/answer-in-query", "a gold/bare-number"}, got); diff != "" || found[1].Line != 9 {
		t.Errorf("findings %+v (-want +got):\n%s", found, diff)
	}
}
