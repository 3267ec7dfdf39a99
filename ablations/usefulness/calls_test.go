package usefulness

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

func question(string) string { return "How many?" }

// Two calls of one turn follow one another, although the events have both calls before both results.
func TestTextsAroundCalls(t *testing.T) {
	failed := "no such file"
	events := []trace.Event{
		{Body: trace.Thought{Content: "Look twice."}},
		{Body: trace.Action{Name: "look", Input: []byte(`{"at":1}`), CallID: "a"}},
		{Body: trace.Action{Name: "find", Input: []byte(`{"at":2}`), CallID: "b"}},
		{Body: trace.Observation{CallID: "b", Error: &failed}},
		{Body: trace.Observation{CallID: "a", Output: []byte(`{"n":7}`)}},
	}
	for name, c := range map[string]struct {
		exchanges           []store.Exchange
		opening, one, other string
	}{
		"without chats": {nil, "user: How many?", `{"n":7}`, "error: no such file"},
		"with chats": {[]store.Exchange{
			{Identity: model.Identity{Purpose: model.Judge}, Messages: []model.Message{{Role: model.User, Content: "Is it right?"}}},
			{Identity: model.Identity{Purpose: model.Agent}, Messages: []model.Message{{Role: model.System, Content: "Be brief."}, {Role: model.User, Content: "Count."}}},
			{Identity: model.Identity{Purpose: model.Agent}, Messages: []model.Message{{Role: model.ToolRole, ToolCallID: "a", Content: "<<7>>"}, {Role: model.ToolRole, ToolCallID: "b", Content: "<<none>>"}}},
		}, "system: Be brief.\n\nuser: Count.", "<<7>>", "<<none>>"},
	} {
		t.Run(name, func(t *testing.T) {
			calls := CallsOf(events, c.exchanges, question)
			if len(calls) != 2 {
				t.Fatalf("%d calls", len(calls))
			}
			before := c.opening + "\n\nassistant: Look twice."
			first := before + "\n\nassistant calls look: {\"at\":1}\n\nlook returns:"
			second := first + "\n" + c.one + "\n\nassistant calls find: {\"at\":2}\n\nfind returns:"
			want := [][3]string{{first + "\n" + c.one, before, first}, {second + "\n" + c.other, first + "\n" + c.one, second}}
			for i, call := range calls {
				got := call.prefixes()
				for j := range got {
					got[j] = strings.TrimSuffix(got[j], ending)
				}
				if d := cmp.Diff(want[i], got); d != "" {
					t.Errorf("call %d: %s", i, d)
				}
			}
			if calls[0].observed != 4 || calls[1].observed != 3 || calls[1].Number != 1 || calls[0].Output != `{"n":7}` {
				t.Errorf("calls: %+v", calls)
			}
		})
	}
}

// Programs of others may use one id for all calls, or none.
func TestCallsWithoutIDs(t *testing.T) {
	calls := CallsOf([]trace.Event{
		{Body: trace.Observation{Output: []byte(`"early"`)}}, {Body: trace.Action{Name: "a"}}, {Body: trace.Action{Name: "b"}},
		{Body: trace.Observation{Output: []byte(`"one"`)}}, {Body: trace.Action{Name: "c"}},
	}, nil, question)
	if len(calls) != 3 || calls[0].Output != "one" || calls[1].Why != NoResult || calls[2].Why != NoResult {
		t.Errorf("calls: %+v", calls)
	}
}

func TestTurns(t *testing.T) {
	calls := CallsOf([]trace.Event{
		{Path: "turn#1", Body: trace.Action{Name: "a", CallID: "x"}}, {Path: "turn#1", Body: trace.Observation{CallID: "x", Output: []byte("1")}},
		{Path: "turn#2/helper#1", Body: trace.Action{Name: "deep", CallID: "x"}},
		{Path: "turn#2", Body: trace.Action{Name: "b", CallID: "x"}}, {Path: "turn#2", Body: trace.Observation{CallID: "x", Output: []byte("2")}},
	}, nil, func(path string) string { return "asked in " + path })
	if len(calls) != 3 || calls[1].Why != SubAgent || calls[2].Output != "2" || calls[2].Number != 2 {
		t.Fatalf("calls: %+v", calls)
	}
	if got := calls[2].prefixes()[1]; got != "user: asked in turn#2"+ending {
		t.Errorf("the text before the call of the second turn is %q", got)
	}
}

func TestGoldOf(t *testing.T) {
	many := make([]string, 20)
	for i := range many {
		many[i] = strings.Repeat("x", i+1)
	}
	for _, c := range []struct {
		gold datasets.Gold
		n    int
		why  Reason
	}{
		{datasets.Gold{Answer: "7", Aliases: []string{"seven", " 7 ", ""}}, 2, ""},
		{datasets.Gold{Answer: "y", Aliases: many}, MaxAnswers, ""},
		{datasets.Gold{}, 0, NoGold},
		{datasets.Gold{Answer: "7", None: true}, 0, NoGold},
		{datasets.Gold{Condition: "It is polite."}, 0, NoGold},
		{datasets.Gold{SQL: "SELECT 1"}, 0, GoldType},
		{datasets.Gold{Answer: "a,b", Type: answer.Table}, 0, GoldType},
	} {
		if got := GoldOf(c.gold); len(got.Answers) != c.n || got.Why != c.why {
			t.Errorf("%+v: got %+v", c.gold, got)
		}
	}
}

func TestReasonsHaveWords(t *testing.T) {
	for _, r := range Reasons() {
		if r.Words() == "" {
			t.Errorf("%s has no words", r)
		}
	}
}
