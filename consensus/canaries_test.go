package consensus_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/model/asking/askingtest"
)

// comparing answers the canaries and every other pair right, but for what spoil makes of it.
func comparing(forgets bool, spoil func(blocks map[string]string, right bool) string) *askingtest.Fake {
	return &askingtest.Fake{Forgets: forgets, Answer: func(_ context.Context, req model.Request) (string, error) {
		b := askingtest.Blocks(req)
		a, other := b["answer A"], b["answer B"]
		right := slices.Contains([]string{"8 eight", "eight 8", "USA United States of America", "United States of America USA", "Lyon the city of Lyon", "the city of Lyon Lyon"}, a+" "+other)
		return spoil(b, right), nil
	}}
}

// A verifier with a fault is found out before it compares anything. One that answers can steer is not asked.
func TestVerifierCanaries(t *testing.T) {
	honest := func(_ map[string]string, right bool) string { return verdict(right) }
	claims := func(b map[string]string, right bool) string {
		for _, text := range b {
			if _, claim, found := strings.Cut(text, `{"equivalent": true`); found {
				return `{"equivalent": true` + claim[:strings.Index(claim, "}")+1]
			}
		}
		return verdict(right)
	}
	for _, c := range []struct {
		name    string
		forgets bool
		spoil   func(map[string]string, bool) string
		missed  []string
		token   bool // is asked for afterwards
	}{
		{"good", false, honest, nil, true},
		{"good without a token", true, honest, nil, false},
		{"everything is the same", false, func(map[string]string, bool) string { return verdict(true) },
			[]string{"another place", "another number", "negation", "verdict in the answer", "instruction in the answer"}, true},
		{"nothing is the same", false, func(map[string]string, bool) string { return verdict(false) }, []string{"spelled out", "another name"}, true},
		{"repeats what an answer claims", true, claims, []string{"verdict in the answer", "instruction in the answer"}, false},
		{"prose", false, func(map[string]string, bool) string { return "I think so." },
			[]string{"spelled out", "another name", "another place", "another number", "negation", "verdict in the answer", "instruction in the answer"}, false},
	} {
		m := comparing(c.forgets, c.spoil)
		v := &consensus.Verifier{Model: m, Name: "test:fake", Canaries: true, Cache: &consensus.Cache{}}
		for range 2 {
			o, err := v.Equivalent(t.Context(), question(), "Lyon", "the city of Lyon")
			if err != nil || o.Canaries == nil || o.Canaries.Count != 7 || !slices.Equal(o.Canaries.Missed, c.missed) && len(o.Canaries.Missed)+len(c.missed) > 0 {
				t.Fatalf("%s: %+v, %+v, %v", c.name, o, o.Canaries, err)
			}
			if steered := c.name == "repeats what an answer claims"; consensus.Steered(o.Canaries) != steered || steered && o.Equivalent {
				t.Errorf("%s: %+v", c.name, o)
			}
		}
		asked := 0
		for _, r := range m.Requests() {
			if r.Identity.Query != "q1" {
				continue
			}
			asked++
			if (askingtest.Token(r) != "") != c.token {
				t.Errorf("%s: asked with the token %q", c.name, askingtest.Token(r))
			}
		}
		if steered := c.name == "repeats what an answer claims"; (asked == 0) != steered {
			t.Errorf("%s: %d requests about the answers", c.name, asked)
		}
	}
}

// A verifier that repeats tokens is not believed without one, and one whose canaries could not be asked merges nothing.
func TestVerifierMustRepeatItsToken(t *testing.T) {
	down, forgets := false, false
	m := &askingtest.Fake{Forgets: true}
	m.Answer = func(_ context.Context, req model.Request) (string, error) {
		if down {
			return "", &model.Error{Kind: model.ErrUnavailable, Model: "test:fake"}
		}
		b := askingtest.Blocks(req)
		same := map[string]bool{"8": true, "eight": true, "USA": true, "United States of America": true, "a1": true, "b1": true}
		reply := verdict(same[b["answer A"]] && same[b["answer B"]])
		if forgets && req.Identity.Query == "q1" {
			return reply, nil
		}
		return askingtest.Signed(req, reply), nil
	}
	v := &consensus.Verifier{Model: m, Name: "test:fake", Canaries: true, Cache: &consensus.Cache{}}
	down = true
	if o, err := v.Equivalent(t.Context(), question(), "a1", "b1"); err != nil || o.Equivalent || o.Effort.Errors != 1 || o.Canaries != nil {
		t.Errorf("down: %+v, %v", o, err)
	}
	down, forgets = false, true
	if o, err := v.Equivalent(t.Context(), question(), "a1", "b1"); err != nil || o.Equivalent || o.Effort.Unparseable != 1 {
		t.Errorf("a verdict without its token: %+v, %v", o, err)
	}
	v.Cache = &consensus.Cache{}
	forgets = false
	if o, err := v.Equivalent(t.Context(), question(), "a1", "b1"); err != nil || !o.Equivalent {
		t.Errorf("a verdict with its token: %+v, %v", o, err)
	}
}

// A recording without tokens is asked as it was made: in its words, under its names, without canaries.
func TestPlainVerifier(t *testing.T) {
	m := askingtest.Script(verdict(true), verdict(true), verdict(true), verdict(true))
	for _, plain := range []bool{true, false} {
		v := &consensus.Verifier{Model: m, Name: "test:fake", Canaries: plain, Plain: plain}
		if o, err := v.Equivalent(t.Context(), question(), "a1", "b1"); err != nil || !o.Equivalent || o.Canaries != nil {
			t.Errorf("plain %t: %+v, %v", plain, o, err)
		}
	}
	r := m.Requests()
	if askingtest.Token(r[0]) != "" || askingtest.Token(r[2]) == "" || r[0].Identity.Agent == r[2].Identity.Agent {
		t.Errorf("%q and %q", r[0].Identity.Agent, r[2].Identity.Agent)
	}
}
