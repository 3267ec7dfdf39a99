package export

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/seed-5817661a/concur/ablations/usefulness"
	"github.com/seed-5817661a/concur/model"
)

func entry(call int, id string, gain float64) usefulness.Entry {
	return usefulness.Entry{Call: call, CallID: id, Gain: &gain}
}

func says(role model.Role, text string, ids ...string) model.Message {
	m := model.Message{Role: role, Content: text}
	for _, id := range ids {
		m.ToolCalls = append(m.ToolCalls, model.ToolCall{ID: id, Name: "look", Arguments: "{}"})
	}
	return m
}

func result(id, text string) model.Message {
	return model.Message{Role: model.ToolRole, ToolCallID: id, Content: text}
}

func TestPrune(t *testing.T) {
	messages := []model.Message{
		says(model.System, "Be brief."), says(model.User, "How many?"),
		says(model.Assistant, "I plan.", "call_2_0"), result("call_2_0", "useless"),
		says(model.Assistant, "I look.", "call_4_0", "call_4_1", "call_4_2"), result("call_4_2", "no gain"), result("call_4_0", "useless"), result("call_4_1", "useful"),
		says(model.Assistant, "Answer: 7"),
	}
	u := &Useful{Tau: 1}
	got := u.prune("", messages, []usefulness.Entry{entry(0, "call_2_0", .9), entry(1, "call_4_0", -3), entry(2, "call_4_1", 1), {Call: 3, CallID: "call_4_2", Undefined: usefulness.Overflow}})
	want := []model.Message{
		messages[0], messages[1],
		says(model.Assistant, "I look.", "call_2_0", "call_2_1"), result("call_2_1", "no gain"), result("call_2_0", "useful"),
		messages[8],
	}
	if d := cmp.Diff(want, got.messages); d != "" || got.removed != 2 || got.unscored != 1 || got.inText {
		t.Errorf("%+v\n%s", got, d)
	}
	if messages[4].ToolCalls[1].ID != "call_4_1" || messages[7].ToolCallID != "call_4_1" {
		t.Error("the messages of the recording were changed")
	}
	all := u.prune("", messages, nil)
	if d := cmp.Diff(messages, all.messages); d != "" || all.unscored != 4 {
		t.Errorf("calls without a score must stay: %s", d)
	}
}

// Calls in the text of messages cannot be removed.
func TestUselessCallInText(t *testing.T) {
	messages := []model.Message{says(model.User, "How many?"), says(model.Assistant, "Action: look"), says(model.User, "Observation: 7")}
	u := &Useful{Tau: 1}
	if !u.prune("", messages, []usefulness.Entry{entry(0, "call_0_0", 0)}).inText {
		t.Error("a useless call is in the text")
	}
	if u.prune("", messages, []usefulness.Entry{entry(0, "call_0_0", 2)}).inText || u.prune("turn#1", messages, []usefulness.Entry{entry(0, "call_0_0", 0)}).inText {
		t.Error("a useful call, and a call of another turn, are no reason to leave a chat out")
	}
}

// A message that cites a removed result would teach to cite documents that are not there.
func TestCitedUselessCall(t *testing.T) {
	for last, want := range map[string]bool{
		"It is 7 [corpus_1].": true, "It is 7 [wiki_2, corpus_1].": true, "It is 7 [corpus_12].": false, "It is 7 [wiki_2].": false, "It is 7.": false,
	} {
		got := (&Useful{Tau: 1}).prune("", []model.Message{
			says(model.User, "How many?"), says(model.Assistant, "I look.", "a", "b"),
			result("a", `{"id":"corpus_1"} {"id":"wiki_2"}`), result("b", `{"id":"wiki_2"} {"id":"corpus_12"}`), says(model.Assistant, last),
		}, []usefulness.Entry{entry(0, "a", 0), entry(1, "b", 1)})
		if got.uncited != want || got.removed != 1 {
			t.Errorf("%s: %+v, want %t", last, got, want)
		}
	}
}

// Whatever is removed, each call has one result, in front of which it is, and ids are unique.
func TestPrunedChatsAreValid(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		messages := []model.Message{says(model.User, "How many?")}
		var entries []usefulness.Entry
		reused := rapid.Bool().Draw(t, "one id for each message's first call")
		for range rapid.IntRange(0, 5).Draw(t, "turns") {
			var ids []string
			for i := range rapid.IntRange(1, 3).Draw(t, "calls") {
				at := len(messages)
				if reused {
					at = 0
				}
				ids = append(ids, model.CallID(at, i))
				entries = append(entries, entry(len(entries), ids[i], rapid.Float64Range(-2, 2).Draw(t, "gain")))
			}
			messages = append(messages, says(model.Assistant, "look", ids...))
			for _, id := range rapid.Permutation(ids).Draw(t, "results") {
				messages = append(messages, result(id, "x"))
			}
		}
		got := (&Useful{Tau: 0}).prune("", append(messages, says(model.Assistant, "7")), entries)
		open, seen, stay := map[string]bool{}, map[string]bool{}, 0
		for _, m := range got.messages {
			if m.Role == model.ToolRole {
				if !open[m.ToolCallID] {
					t.Fatalf("a result of %s without a call: %+v", m.ToolCallID, got.messages)
				}
				delete(open, m.ToolCallID)
				continue
			}
			if len(open) > 0 {
				t.Fatalf("calls without results: %v", open)
			}
			for _, c := range m.ToolCalls {
				if seen[c.ID] {
					t.Fatalf("two calls have the id %s", c.ID)
				}
				open[c.ID], seen[c.ID] = true, true
				stay++
			}
		}
		useful := 0
		for _, e := range entries {
			if !e.Useless(0) {
				useful++
			}
		}
		if stay != useful || got.removed != len(entries)-useful || got.inText {
			t.Fatalf("%d calls stay, %d are useful: %+v", stay, useful, got)
		}
	})
}
