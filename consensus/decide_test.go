package consensus_test

import (
	"crypto/sha256"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/trace"
)

// The rule of docs/method.md §3.2 and its edge cases in §1.2. A case is written as the K
// votes (see cast) and what they come to: method, key, representative, agreement and
// margin in units of 1/K.
func TestDecide(t *testing.T) {
	for _, c := range []struct {
		name, votes    string
		method         consensus.Method
		key            string
		representative int
		m1, margin     int
		unscored       bool
	}{
		{"unanimous", "xxx", consensus.Exact, "x", 0, 3, 3, false},
		{"unanimous of two", "xx", consensus.Exact, "x", 0, 2, 2, false},
		{"all refused", "rrr", consensus.Exact, "refused", 0, 3, 3, false},
		{"all abstained", "aaa", consensus.Exact, "abstained", 0, 3, 3, false},
		{"two of three", "yxx", consensus.Majority, "x", 1, 2, 1, false},
		{"two of three abstained", "axa", consensus.Majority, "abstained", 0, 2, 1, false},
		{"refusing and abstaining are two classes", "rra", consensus.Majority, "refused", 0, 2, 1, false},
		{"a failure breaks unanimity", "xnx", consensus.Majority, "x", 0, 2, 2, false},
		{"so does infra", "xix", consensus.Majority, "x", 0, 2, 2, false},
		{"majority is of K, not of the votes", "xxyni", consensus.Plurality, "x", 0, 2, 1, false},
		{"three of five", "yxzxx", consensus.Majority, "x", 1, 3, 2, false},
		{"two of five lead", "yxzxw", consensus.Plurality, "x", 1, 2, 1, false},
		{"half of an even K is no majority", "xxyz", consensus.Plurality, "x", 0, 2, 1, false},
		{"more than half of an even K is", "xxxy", consensus.Majority, "x", 0, 3, 2, false},
		{"one vote short of the quorum", "xnn", consensus.None, "", -1, 1, 1, false},
		{"infra costs the quorum", "xin", consensus.None, "", -1, 1, 1, true},
		{"infra does not cost what was lost anyway", "inn", consensus.None, "", -1, 0, 0, false},
		{"all no_answer", "nnn", consensus.None, "", -1, 0, 0, false},
		{"all infra", "iii", consensus.None, "", -1, 0, 0, true},
		{"quorum of four is three", "xxnn", consensus.None, "", -1, 2, 2, false},
		{"quorum of four, two by infra", "xxii", consensus.None, "", -1, 2, 2, true},
		{"K=1", "x", consensus.Single, "x", 0, 0, 0, false},
		{"K=1 refused", "r", consensus.Single, "refused", 0, 0, 0, false},
		{"K=1 no_answer", "n", consensus.None, "", -1, 0, 0, false},
		{"K=1 infra", "i", consensus.None, "", -1, 0, 0, true},
		{"no trace at all", "", consensus.None, "", -1, 0, 0, false},
	} {
		d := countVotes(cast(c.votes), stages())
		if d.Method != c.method || d.Unscored != c.unscored {
			t.Errorf("%s: method %s, unscored %v, want %s, %v", c.name, d.Method, d.Unscored, c.method, c.unscored)
		}
		checkDecided(t, c.name, d, c.key, c.representative)
		k := len(c.votes)
		if k < 2 {
			if d.Agreement != nil || d.Margin != nil {
				t.Errorf("%s: agreement and margin of K=%d are defined", c.name, k)
			}
			continue
		}
		if !near(d.Agreement, float64(c.m1)/float64(k)) || !near(d.Margin, float64(c.margin)/float64(k)) {
			t.Errorf("%s: agreement %v, margin %v, want %d/%d, %d/%d", c.name, show(d.Agreement), show(d.Margin), c.m1, k, c.margin, k)
		}
	}
}

// checkDecided compares key, representative, answer and outcome with the key that is
// expected; "" expects none.
func checkDecided(t *testing.T, name string, d consensus.Decision, key string, representative int) {
	t.Helper()
	if key == "" {
		outcome := trace.NoAnswer
		if d.Unscored {
			outcome = trace.Infra
		}
		if d.Key != nil || d.Answer != nil || d.Representative != nil || d.Outcome != outcome {
			t.Errorf("%s: %+v decides something", name, d)
		}
		return
	}
	if d.Key == nil || *d.Key != key || d.Representative == nil || *d.Representative != representative {
		t.Errorf("%s: key %s, representative %s, want %s, %d", name, show(d.Key), show(d.Representative), key, representative)
		return
	}
	isDecision := key == string(trace.Refused) || key == string(trace.Abstained)
	switch {
	case isDecision && (d.Answer != nil || string(d.Outcome) != key):
		t.Errorf("%s: answer %s, outcome %s", name, show(d.Answer), d.Outcome)
	case !isDecision && (d.Answer == nil || *d.Answer != key || d.Outcome != trace.Answered):
		t.Errorf("%s: answer %s, outcome %s, want %s, answered", name, show(d.Answer), d.Outcome, key)
	}
}

func TestTie(t *testing.T) {
	// lowest finds the key with the lowest hash, independently of the package.
	lowest := func(keys ...string) string {
		return slices.MinFunc(keys, func(a, b string) int {
			return strings.Compare(fmt.Sprintf("%x", sha256.Sum256([]byte(a))), fmt.Sprintf("%x", sha256.Sum256([]byte(b))))
		})
	}
	for _, c := range []struct {
		name    string
		ballots []consensus.Ballot
		want    string
	}{
		{
			"more supporting documents",
			[]consensus.Ballot{answered(0, "x", "c:1"), answered(1, "y", "c:1", "c:2"), answered(2, "z")}, "y",
		},
		{
			"the same document twice is one", // x: 1, y: 2
			[]consensus.Ballot{
				answered(0, "x", "c:1"), answered(1, "x", "c:1"),
				answered(2, "y", "c:1"), answered(3, "y", "c:2"),
			}, "y",
		},
		{"no documents: hash of the key", []consensus.Ballot{answered(0, "x"), answered(1, "y"), answered(2, "z")}, lowest("x", "y", "z")},
		{"the hash does not know the index", []consensus.Ballot{answered(0, "z"), answered(1, "y"), answered(2, "x")}, lowest("x", "y", "z")},
		{
			"equal support: hash among the best supported",
			[]consensus.Ballot{answered(0, "x", "c:1"), answered(1, "y"), answered(2, "z", "c:2")}, lowest("x", "z"),
		},
		{
			"support does not lift a class that does not lead",
			[]consensus.Ballot{
				answered(0, "x"), answered(1, "x"), answered(2, "y"), answered(3, "y"),
				answered(4, "z", "c:1", "c:2"),
			}, lowest("x", "y"),
		},
		{"a refusal can win a tie", []consensus.Ballot{answered(0, "x"), decision(1, trace.Refused)}, lowest("x", "refused")},
	} {
		d := countVotes(c.ballots, stages())
		if d.Method != consensus.Tie || d.Key == nil || *d.Key != c.want {
			t.Errorf("%s: %s for %s, want tie for %s", c.name, d.Method, show(d.Key), c.want)
		}
		if len(d.Votes) == 0 || d.Votes[0].Key != c.want {
			t.Errorf("%s: votes %v do not begin with the decided class", c.name, d.Votes)
		}
	}
}

func TestAmbiguousKeysAreNeverExact(t *testing.T) {
	unsure := func(n int) []consensus.Ballot {
		ballots := make([]consensus.Ballot, n)
		for i := range ballots {
			ballots[i] = answered(i, "ambiguous:1,23")
			ballots[i].Ambiguous = true
		}
		return ballots
	}
	if d := countVotes(unsure(3), stages()); d.Method != consensus.Majority {
		t.Errorf("three ambiguous answers: %s, want majority", d.Method)
	}
	if d := countVotes(unsure(3), []consensus.Stage{consensus.StageExact}); d.Method != consensus.None {
		t.Errorf("three ambiguous answers without the majority stage: %s, want none", d.Method)
	}
	// One doubtful vote is enough, whichever it is.
	for i := range 3 {
		in := cast("xxx")
		in[i].Ambiguous = true
		if d := countVotes(in, stages()); d.Method != consensus.Majority {
			t.Errorf("trace %d ambiguous: %s, want majority", i, d.Method)
		}
	}
	if d := countVotes(unsure(1), stages()); d.Method != consensus.Single {
		t.Errorf("K=1: %s, want single", d.Method)
	}
}

func TestStages(t *testing.T) {
	exact, majority := []consensus.Stage{consensus.StageExact}, []consensus.Stage{consensus.StageMajority}
	for _, c := range []struct {
		votes  string
		stages []consensus.Stage
		want   consensus.Method
	}{
		{"xxx", exact, consensus.Exact},
		{"xxy", exact, consensus.None},
		{"xyz", exact, consensus.None},
		{"xxx", majority, consensus.Majority},
		{"xxy", majority, consensus.Majority},
		{"xxx", nil, consensus.None},
		{"x", nil, consensus.Single},
	} {
		d := countVotes(cast(c.votes), c.stages)
		if d.Method != c.want {
			t.Errorf("%s by %v: %s, want %s", c.votes, c.stages, d.Method, c.want)
		}
		if d.Unscored {
			t.Errorf("%s by %v: unscored, though no trace failed as infra", c.votes, c.stages)
		}
	}
}

func TestVotesAndFigures(t *testing.T) {
	d := countVotes(cast("yxzxiny"), stages()) // x and y lead with two of seven
	if d.Valid != 5 || d.Infra != 1 {
		t.Errorf("valid %d, infra %d, want 5, 1", d.Valid, d.Infra)
	}
	byKey := map[string][]int{}
	for _, v := range d.Votes {
		byKey[v.Key] = v.Traces
	}
	if fmt.Sprint(byKey) != "map[x:[1 3] y:[0 6] z:[2]]" {
		t.Errorf("votes %v", d.Votes)
	}
	// Shares 2/5, 2/5, 1/5.
	if want := -(0.8*math.Log(0.4) + 0.2*math.Log(0.2)); !near(d.Entropy, want) {
		t.Errorf("entropy %s, want %v", show(d.Entropy), want)
	}
	if one := countVotes(cast("xxn"), stages()); one.Entropy == nil || math.Signbit(*one.Entropy) || *one.Entropy != 0 {
		t.Errorf("entropy of one class is %s, want 0", show(one.Entropy))
	}
	if none := countVotes(cast("nnn"), stages()); none.Entropy != nil {
		t.Errorf("entropy without votes is %v, want undefined", *none.Entropy)
	}
}

func near(got *float64, want float64) bool { return got != nil && math.Abs(*got-want) < 1e-12 }

// show prints what a pointer points to.
func show[T any](p *T) string {
	if p == nil {
		return "nil"
	}
	return fmt.Sprint(*p)
}
