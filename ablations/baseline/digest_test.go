package baseline_test

import (
	"fmt"
	"github.com/seed-5817661a/concur/ablations/baseline"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/ablations/gate"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

// speaking is a pass whose messages have a length, with one word of its own.
func speaking(day, length int, word string) baseline.Pass {
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
	read := func(p baseline.Pass, configuration string) baseline.Pass {
		p.Manifest.Configurations = append(p.Manifest.Configurations, store.Configuration{Name: "other", Agent: "4e4e"}, p.Manifest.Configurations[0])
		shares := &p.Manifest.Configurations[2]
		shares.Name = "shares"
		got, err := baseline.ReadPass(written(t, p), configuration)
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
	if got := read(copied, "default"); got.Digest != first.Digest {
		t.Errorf("a copy under another name, seed and model has the digest %s, and not %s", got.Digest, first.Digest)
	}
	cold := speaking(2, 300, "a")
	cold.Manifest.Configurations[0].Configuration.Agent.Temperature = 0
	if got := read(cold, "default"); got.Digest != "" {
		t.Errorf("at temperature 0 it is %s", got.Digest)
	}
	for name, p := range map[string]baseline.Pass{
		"another word":               read(speaking(2, 300, "b"), "default"),
		"a row that shares traces":   read(speaking(1, 300, "a"), "shares"),
		"short answers":              read(speaking(2, 9, "a"), "default"),
		"an agent that said nothing": read(speaking(2, 300, "a"), "other"),
	} {
		if p.Digest == first.Digest || (len(p.Digest) > 0) == (name == "short answers" || name == "an agent that said nothing") {
			t.Errorf("%s: %q", name, p.Digest)
		}
	}
	b := &baseline.Baseline{}
	if err := b.Add(baseline.Candidate{Pass: first, Decision: gate.Pass}, smallSet()); err != nil {
		t.Fatal(err)
	}
	b = parsed(t, encoded(t, b))
	if err := baseline.Known(b.Runs, read(copied, "default")); err == nil || !strings.Contains(err.Error(), "identical to those of run "+runNameOf(1)) {
		t.Errorf("the copy is not known: %v", err)
	}
	if err := baseline.Known(b.Runs, read(speaking(2, 300, "b"), "default")); err != nil {
		t.Errorf("another run is known: %v", err)
	}
}

// Where all traces of many queries say the same, something caches.
func TestCached(t *testing.T) {
	names := func(n int) (out []string) {
		for i := range n {
			out = append(out, fmt.Sprint("q", i))
		}
		return out
	}
	for name, c := range map[string]struct {
		own, other   baseline.Copies
		temperature  float64
		refuse, warn bool
	}{
		"no copies":                  {baseline.Copies{LongOf: 10}, baseline.Copies{}, .7, false, false},
		"most long replies":          {baseline.Copies{Long: names(6), LongOf: 10}, baseline.Copies{}, .7, true, false},
		"half of them":               {baseline.Copies{Long: names(4), LongOf: 10}, baseline.Copies{}, .7, false, false},
		"five in two runs":           {baseline.Copies{Long: names(5), LongOf: 20}, baseline.Copies{Long: names(7)}, .7, true, false},
		"short ones in two runs":     {baseline.Copies{Short: names(5), LongOf: 20}, baseline.Copies{Short: names(5)}, .7, false, true},
		"short ones in one run":      {baseline.Copies{Short: names(9), LongOf: 20}, baseline.Copies{}, .7, false, false},
		"asked for at temperature 0": {baseline.Copies{Long: names(9), LongOf: 9}, baseline.Copies{Long: names(9)}, 0, false, false},
	} {
		p := fullPass(1, smallSet(), "+++ +++ +++")
		p.Copies, p.Configuration.Configuration.Agent.Temperature = c.own, c.temperature
		refuse, warn := baseline.Cached(p, "the other", c.other)
		if len(refuse) > 0 != c.refuse || len(warn) > 0 != c.warn {
			t.Errorf("%s: refuse %q, warn %q", name, refuse, warn)
		}
	}
}
