package gate_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/ablations/gate"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/trace"
)

// speaking is a pass whose messages have a length, with one word of its own.
func speaking(day, length int, word string) gate.RunPass {
	p := fullPass(day, smallSet(), "+++ +++ +++")
	p.Messages = map[trace.ID]string{}
	for _, q := range smallSet().Queries {
		for n := range 3 {
			p.Messages[trace.ID{Agent: "3f2a", Query: q.ID, Trace: n}] = fmt.Sprintf("%s %d %s", q.ID, n, strings.Repeat("x", length))
		}
	}
	p.Messages[trace.ID{Agent: "3f2a", Query: "hop-01", Trace: 1}] += word
	return p
}

func TestDigestTellsPassesApart(t *testing.T) {
	t.Parallel()
	read := func(p gate.RunPass, configuration string) gate.RunPass {
		p.Manifest.Configurations = append(p.Manifest.Configurations, store.Configuration{Name: "other", Agent: "4e4e"}, p.Manifest.Configurations[0])
		shares := &p.Manifest.Configurations[2]
		shares.Name = "shares"
		got, err := gate.ReadPass(written(t, p), configuration)
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	first := read(speaking(1, 300, "a"), "default")
	if len(first.Digest) != 32 {
		t.Fatalf("the digest is %q", first.Digest)
	}
	copied := speaking(2, 300, "a")
	copied.Manifest.Configurations[0].Model = "openai:other"
	if got := read(copied, "default"); got.Digest != first.Digest {
		t.Errorf("a copy under another name, seed and model has the digest %s, and not %s", got.Digest, first.Digest)
	}
	cold := speaking(2, 300, "a")
	cold.Manifest.Configurations[0].Configuration.Agent.Temperature = 0
	if got := read(cold, "default"); got.Digest != "" {
		t.Errorf("at temperature 0 it is %s", got.Digest)
	}
	for name, p := range map[string]gate.RunPass{
		"another word":               read(speaking(2, 300, "b"), "default"),
		"a row that shares traces":   read(speaking(1, 300, "a"), "shares"),
		"short answers":              read(speaking(2, 9, "a"), "default"),
		"an agent that said nothing": read(speaking(2, 300, "a"), "other"),
	} {
		if p.Digest == first.Digest || (len(p.Digest) > 0) == (name == "short answers" || name == "an agent that said nothing") {
			t.Errorf("%s: %q", name, p.Digest)
		}
	}
	b := &gate.Baseline{}
	if err := b.Add(gate.Candidate{Configuration: "default", Passes: []gate.RunPass{first}, Decision: gate.Pass}, smallSet()); err != nil {
		t.Fatal(err)
	}
	b = parsed(t, encoded(t, b))
	if run, ok := b.Has(first.Digest); !ok || run != runNameOf(1) {
		t.Errorf("the baseline does not have it: %q", run)
	}
	for _, other := range []string{"", digestA} {
		if run, ok := b.Has(other); ok {
			t.Errorf("the baseline has %q, in %s", other, run)
		}
	}
	// Of an earlier version none has a digest.
	if run, ok := parsed(t, twoRuns(t)).Has(""); ok {
		t.Errorf("no digest is that of %s", run)
	}
}
