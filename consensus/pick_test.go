package consensus_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/model/asking/askingtest"
)

// chooses picks the candidate whose short answer is the given one.
func chooses(short string) *askingtest.Fake {
	return &askingtest.Fake{Answer: func(_ context.Context, req model.Request) (string, error) {
		for label, text := range askingtest.Blocks(req) {
			var n int
			if _, err := fmt.Sscanf(label, "candidate %d short answer", &n); err == nil && text == short {
				return choice(n), nil
			}
		}
		return choice(0), nil
	}}
}

func choice(n int) string { return fmt.Sprintf(`{"choice": %d, "reason": "it cites its sources"}`, n) }

func picking(m model.Model, stages ...consensus.Stage) consensus.Decider {
	return consensus.Decider{Stages: stages, Picker: &consensus.Picker{Model: m}}
}

func TestPick(t *testing.T) {
	const exact, majority, pick = consensus.StageExact, consensus.StageMajority, consensus.StagePick
	after, before := []consensus.Stage{exact, majority, pick}, []consensus.Stage{exact, pick, majority}
	for _, c := range []struct {
		name   string
		stages []consensus.Stage
		shorts []string
		model  *askingtest.Fake
		method consensus.Method
		key    string
		pick   string
		calls  int
		curve  bool
	}{
		{"decides a tie", after, []string{"a", "b", "c"}, chooses("b"), consensus.Picked, "text:b", "decided", 2, false},
		{"decides a plurality", after, []string{"a", "b", "a", "c"}, chooses("c"), consensus.Picked, "text:c", "decided", 2, false},
		{"is not asked over a majority", after, []string{"a", "b", "a"}, askingtest.Script(), consensus.Majority, "text:a", "", 0, true},
		{"nor over unanimity", after, []string{"a", "a"}, askingtest.Script(), consensus.Exact, "text:a", "", 0, true},
		{"nor without the quorum", after, []string{"a", "", ""}, askingtest.Script(), consensus.None, "", "", 0, true},
		{"nor for one trace", after, []string{"a"}, askingtest.Script(), consensus.Single, "text:a", "", 0, true},
		{"may pick a refusal", after, []string{"a", "-"}, chooses("(none: it refuses to answer)"), consensus.Picked, "refused", "decided", 2, false},
		{"two picks are none", after, []string{"b", "a", "a", "c", "c"}, askingtest.Script(choice(1), choice(1)), consensus.Tie, "", "inconclusive", 2, true},
		{"before the majority it overrules it", before, []string{"a", "b", "a"}, chooses("b"), consensus.Picked, "text:b", "decided", 2, false},
		{"before the majority, inconclusive", before, []string{"a", "b", "a"}, askingtest.Script(choice(2), choice(2)), consensus.Majority, "text:a", "inconclusive", 2, false},
		{"before the majority, one class", before, []string{"a", "a", ""}, askingtest.Script(), consensus.Majority, "text:a", "", 0, false},
		{"without any count", []consensus.Stage{pick}, []string{"a", "b"}, askingtest.Script(choice(1), choice(1)), consensus.None, "", "inconclusive", 2, false},
		{"unreadable once", after, []string{"a", "b"}, askingtest.Script("b!", choice(2), choice(1)), consensus.Picked, "text:b", "decided", 3, false},
		{"unreadable twice", after, []string{"a", "b", "a", "c"}, askingtest.Script("b!", "b!"), consensus.Plurality, "text:a", "failed", 2, true},
		{"no such candidate", after, []string{"a", "b", "a", "c"}, askingtest.Script(choice(4), choice(0)), consensus.Plurality, "text:a", "failed", 2, true},
		{"the model fails", after, []string{"a", "b", "a", "c"}, askingtest.Script("!"), consensus.Plurality, "text:a", "failed", 1, true},
	} {
		d := decide(t, picking(c.model, c.stages...), typed(answer.Text, c.shorts...))
		if d.Method != c.method || d.Effort.Calls != c.calls || d.KCurve != c.curve {
			t.Errorf("%s: %s, %d calls, k_curve %v; want %s, %d, %v", c.name, d.Method, d.Effort.Calls, d.KCurve, c.method, c.calls, c.curve)
		}
		if c.key != "" && show(d.Key) != c.key || (d.Pick == nil) != (c.pick == "") || d.Pick != nil && *d.Pick != c.pick {
			t.Errorf("%s: key %s, pick %s; want %s, %s", c.name, show(d.Key), show(d.Pick), c.key, c.pick)
		}
		if c.key != "" && d.Votes[0].Key != c.key {
			t.Errorf("%s: the decided class does not lead the votes: %v", c.name, d.Votes)
		}
	}
}

func TestPickCountsItsFailures(t *testing.T) {
	stages := []consensus.Stage{consensus.StageMajority, consensus.StagePick}
	if d := decide(t, picking(askingtest.Script("!"), stages...), typed(answer.Text, "a", "b")); d.Effort.Errors != 1 || d.Effort.Unparseable != 0 {
		t.Errorf("a failing model: %d errors, %d unparseable", d.Effort.Errors, d.Effort.Unparseable)
	}
	if d := decide(t, picking(askingtest.Script("a", "b"), stages...), typed(answer.Text, "a", "b")); d.Effort.Errors != 0 || d.Effort.Unparseable != 1 {
		t.Errorf("an unreadable one: %d errors, %d unparseable", d.Effort.Errors, d.Effort.Unparseable)
	}
	ctx, cancel := context.WithCancel(t.Context())
	m := &askingtest.Fake{Answer: func(context.Context, model.Request) (string, error) { cancel(); return "", context.Canceled }}
	if _, err := picking(m, stages...).Decide(ctx, question(), typed(answer.Text, "a", "b")); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled one: %v", err)
	}
}

// The picker sees question, short answer and message of one trace for each class, in two
// orders, but not the number of its traces nor their indices.
func TestPickerSeesNoCounts(t *testing.T) {
	ballots := typed(answer.Text, "b", "a", "b")
	for i := range ballots {
		ballots[i].Message = fmt.Sprintf("message %d %s", i, strings.Repeat("x", 7000))
	}
	m := askingtest.Script(choice(1), choice(1))
	decide(t, picking(m, consensus.StagePick), ballots)
	requests := m.Requests()
	first, second := askingtest.Blocks(requests[0]), askingtest.Blocks(requests[1])
	if len(first) != 5 || first["candidate 1 short answer"] != "a" || second["candidate 1 short answer"] != "b" {
		t.Errorf("the orders are %v and %v", first, second)
	}
	if !strings.HasPrefix(second["candidate 1 message"], "message 0") || !strings.HasSuffix(second["candidate 1 message"], "[cut here: 6144 of 7010 bytes]") {
		t.Errorf("the message is %.40q", second["candidate 1 message"])
	}
	if err := askingtest.Cacheable(requests...); err != nil {
		t.Error(err)
	}
	if requests[0].Schema.Name != "concur_pick_v1" || requests[0].Identity == requests[1].Identity {
		t.Errorf("requests %+v, %+v", requests[0].Identity, requests[1].Identity)
	}
}

func TestValidate(t *testing.T) {
	const exact, verifier, majority, pick = consensus.StageExact, consensus.StageVerifier, consensus.StageMajority, consensus.StagePick
	const wrongOrder = "exact comes first, then verifier, then majority and pick, each once at the most"
	m := askingtest.Script()
	for _, c := range []struct {
		stages []consensus.Stage
		wrong  string
	}{
		{[]consensus.Stage{exact, verifier, majority}, ""},
		{[]consensus.Stage{exact, verifier, pick, majority}, ""},
		{[]consensus.Stage{exact, verifier, majority, pick}, ""},
		{nil, ""},
		{[]consensus.Stage{majority, exact}, wrongOrder},
		{[]consensus.Stage{exact, majority, verifier}, wrongOrder},
		{[]consensus.Stage{exact, majority, majority}, wrongOrder},
		{[]consensus.Stage{exact, "vote"}, wrongOrder},
	} {
		d := consensus.Decider{Stages: c.stages, Verifier: &consensus.Verifier{Model: m}, Picker: &consensus.Picker{Model: m}}
		if err := d.Validate(); (err == nil) != (c.wrong == "") || err != nil && !strings.Contains(err.Error(), c.wrong) {
			t.Errorf("%v: %v, want %q", c.stages, err, c.wrong)
		}
	}
	for _, d := range []consensus.Decider{
		{Stages: []consensus.Stage{exact, verifier}}, {Stages: []consensus.Stage{pick}},
		{Stages: []consensus.Stage{verifier}, Verifier: &consensus.Verifier{}}, {Stages: []consensus.Stage{pick}, Picker: &consensus.Picker{}},
	} {
		if _, err := d.Decide(t.Context(), question(), nil); err == nil || !strings.Contains(err.Error(), "needs a model") {
			t.Errorf("%v without a model: %v", d.Stages, err)
		}
	}
}
