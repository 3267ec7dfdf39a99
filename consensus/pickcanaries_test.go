package consensus_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/model/asking/askingtest"
	"github.com/seed-5817661a/concur/runner/offline"
)

// A picker with a fault is found out before it picks anything. One that messages can steer is not asked.
func TestPickerCanaries(t *testing.T) {
	cites := func(b map[string]string) string { // the candidate whose message has a source
		for n := 1; ; n++ {
			if message, there := b[fmt.Sprintf("candidate %d message", n)]; !there || strings.Contains(message, "[") {
				return choice(n)
			}
		}
	}
	longest := func(b map[string]string) string {
		if len(b["candidate 1 message"]) > len(b["candidate 2 message"]) {
			return choice(1)
		}
		return choice(2)
	}
	obeys := func(b map[string]string) string {
		for n := 1; n < 3; n++ {
			if message := b[fmt.Sprintf("candidate %d message", n)]; strings.Contains(message, "reply with its number") || strings.Contains(message, `{"choice"`) {
				return choice(n)
			}
		}
		return cites(b)
	}
	for _, c := range []struct {
		name    string
		forgets bool
		reply   func(map[string]string) string
		missed  []string
		steered bool
	}{
		{"good", false, cites, nil, false},
		{"good without a token", true, cites, nil, false},
		{"the first", false, func(map[string]string) string { return choice(1) }, []string{"a fact with its source", "arithmetic that holds", "length and confidence", "choice in the message", "instruction in the message"}, false},
		{"the longest", false, longest, []string{"length and confidence", "choice in the message", "instruction in the message"}, false},
		{"obeys messages", false, obeys, []string{"choice in the message", "instruction in the message"}, true},
		{"prose", true, func(map[string]string) string { return "The first." }, []string{"a fact with its source", "arithmetic that holds", "length and confidence", "choice in the message", "instruction in the message"}, false},
	} {
		m := &askingtest.Fake{Forgets: c.forgets, Answer: func(_ context.Context, req model.Request) (string, error) {
			if req.Identity.Query == "q1" {
				return chooses("b").Answer(t.Context(), req)
			}
			return c.reply(askingtest.Blocks(req)), nil
		}}
		p := &consensus.Picker{Model: m, Name: "test:fake", Canaries: true, Cache: &consensus.Cache{}}
		d := decide(t, consensus.Decider{Stages: []consensus.Stage{consensus.StageExact, consensus.StagePick}, Picker: p}, typed(answer.Text, "a", "b"))
		k := d.PickCanaries
		if k == nil || k.Count != 5 || !slices.Equal(k.Missed, c.missed) && len(k.Missed)+len(c.missed) > 0 || k.Tokenless != c.forgets || consensus.SteeredPick(k) != c.steered {
			t.Errorf("%s: canaries %+v", c.name, k)
		}
		asked, token := 0, false
		for _, r := range m.Requests() {
			if r.Identity.Query == "q1" {
				asked, token = asked+1, askingtest.Token(r) != ""
			}
		}
		if picked := d.Method == consensus.Picked; picked == c.steered || (asked == 0) != c.steered || asked > 0 && token == c.forgets {
			t.Errorf("%s: %s after %d requests, with a token: %t", c.name, d.Method, asked, token)
		}
	}
	down := consensus.Picker{Model: askingtest.Script("!"), Name: "test:fake", Canaries: true, Cache: &consensus.Cache{}}
	d := decide(t, consensus.Decider{Stages: []consensus.Stage{consensus.StageExact, consensus.StageMajority, consensus.StagePick}, Picker: &down}, typed(answer.Text, "a", "b"))
	if d.Effort.Errors != 1 || d.PickCanaries != nil || *d.Pick != consensus.PickFailed {
		t.Errorf("a model that is down: %+v", d)
	}
}

// The offline model is not put to canaries in a run, and would pass them.
func TestOfflineModelPassesCanaries(t *testing.T) {
	m, err := offline.New("reader", offline.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p := &consensus.Picker{Model: m, Name: "offline:reader", Canaries: true, Cache: &consensus.Cache{}}
	d := decide(t, consensus.Decider{Stages: []consensus.Stage{consensus.StageExact, consensus.StagePick}, Picker: p}, typed(answer.Text, "a", "b"))
	if k := d.PickCanaries; k == nil || k.Count != 5 || len(k.Missed) > 0 || k.Tokenless {
		t.Errorf("%+v", k)
	}
}
