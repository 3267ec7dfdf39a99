package baseline_test

import (
	"fmt"
	"github.com/seed-5817661a/concur/ablations/baseline"
	"github.com/seed-5817661a/concur/datasets"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// runKey is a pass of one configuration of an ablation's run.
func runKey(day int, configuration, marks string) baseline.Pass {
	p := fullPass(day, smallSet(), marks)
	p.Manifest.Configurations[0].Name, p.Configuration.Name = configuration, configuration
	for i := range p.Records {
		p.Records[i].Configuration = configuration
	}
	return p
}

// twoRows is a baseline with two configurations of each of two runs.
func twoRows(t testing.TB) *baseline.Baseline {
	t.Helper()
	return accepted(t, smallSet(), runKey(1, "terse", "--- +++ +++"), runKey(1, "default", "+++ +++ +++"), runKey(2, "default", "++- +++ +++"), runKey(2, "terse", "--+ +++ +++"))
}

func TestBaselineOfTwoConfigurations(t *testing.T) {
	t.Parallel()
	b := twoRows(t)
	text := encoded(t, b)
	var order []string
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, `{"kind":"run"`) {
			order = append(order, line[strings.Index(line, "2026"):][:8]+strings.SplitN(line[strings.Index(line, `"configuration":"`)+17:], `"`, 2)[0])
		}
	}
	if want := []string{"20260301default", "20260301terse", "20260302default", "20260302terse"}; !slices.Equal(order, want) {
		t.Errorf("runs in the file are %v", order)
	}
	b = parsed(t, text)
	if again := encoded(t, b); again != text {
		t.Errorf("read and written again it is\n%s", again)
	}
	for configuration, right := range map[string]int{"default": 5, "terse": 1} {
		p := b.Pool(configuration, 0, 3)
		if len(p.Runs) != 2 || p.Items[0].History != of(right, 6) {
			t.Errorf("%s: %d runs, %+v", configuration, len(p.Runs), p.Items[0])
		}
	}
	for _, c := range []string{"default", "terse"} {
		err := b.Add(baseline.Candidate{Pass: runKey(2, c, "+++ +++ +++")}, smallSet())
		if err == nil || !strings.Contains(err.Error(), "is in the baseline already") {
			t.Errorf("%s again: %v", c, err)
		}
	}
	if err := b.Add(baseline.Candidate{Pass: runKey(2, "third", "+++ +++ +++")}, smallSet()); err != nil {
		t.Errorf("a third configuration: %v", err)
	}
	// A reset is of one configuration.
	if err := b.Reset(baseline.Reset{Configuration: "terse", Time: onDay(2), Author: "ann", Reason: "meant"}); err != nil {
		t.Fatal(err)
	}
	if terse, other := b.Counting("terse"), b.Counting("default"); len(terse) != 1 || len(other) != 2 {
		t.Errorf("after the reset %d and %d runs count", len(terse), len(other))
	}
}

func TestOrderOfRowsIsOfNoMatter(t *testing.T) {
	t.Parallel()
	whole := encoded(t, twoRows(t))
	lines := strings.SplitAfter(strings.TrimSuffix(whole, "\n"), "\n")
	lines[len(lines)-1] += "\n"
	rapid.Check(t, func(t *rapid.T) {
		shuffled := lines[0] + strings.Join(rapid.Permutation(append(lines[1:], lines[1:]...)).Draw(t, "lines"), "")
		b, err := baseline.Parse("", []byte(shuffled))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := b.Encode(); err != nil || string(got) != whole {
			t.Fatalf("%v\n%s", err, got)
		}
	})
}

// 300 queries and 20 runs stay below 2 MB.
func TestSize(t *testing.T) {
	t.Parallel()
	d := smallSet(func(q []datasets.Query) []datasets.Query {
		var many []datasets.Query
		for i := range 300 {
			one := q[0]
			one.ID, one.Text = fmt.Sprintf("billing-refunds-%03d", i), fmt.Sprintf("What is the refund for invoice number %d?", i)
			many = append(many, one)
		}
		return many
	})
	b := &baseline.Baseline{}
	for day := range 25 {
		p := fullPass(1+day, d, strings.Repeat("+-+ ", 300)) // no two traces in a row are equal
		if err := b.Add(baseline.Candidate{Pass: p}, d); err != nil {
			t.Fatal(err)
		}
	}
	gone, err := b.Prune(20)
	if err != nil || len(gone) != 5 || gone[0] != runNameOf(1) || len(b.Runs) != 20 {
		t.Fatalf("pruned %v, %v", gone, err)
	}
	if n := len(encoded(t, b)); n > 2_000_000 {
		t.Errorf("%d bytes", n)
	}
}

// What a reset keeps stays, and what came before it goes.
func TestPrune(t *testing.T) {
	t.Parallel()
	d := smallSet()
	var passes []baseline.Pass
	for day := range 6 {
		passes = append(passes, fullPass(1+day, d, "+++ +++ +++"))
	}
	b := accepted(t, d, passes...)
	for _, r := range []baseline.Reset{
		{Configuration: "default", Time: onDay(2), Author: "ann", Reason: "first"},
		{Configuration: "default", Time: onDay(4), Author: "ann", Reason: "second", Keep: []string{runNameOf(2)}},
	} {
		if err := b.Reset(r); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := b.Prune(0); err == nil {
		t.Error("nothing is kept")
	}
	if gone, err := b.Prune(2); err != nil || !slices.Equal(gone, []string{runNameOf(1), runNameOf(3), runNameOf(4)}) || len(b.Resets) != 1 {
		t.Errorf("%v went, %v; resets %v", gone, err, b.Resets)
	}
	parsed(t, encoded(t, b))
}

// Runs that began within a second are in the order of their start, whatever their names.
func TestRunOrderIsByStart(t *testing.T) {
	t.Parallel()
	d := smallSet()
	late, early := fullPass(1, d, "+++ +++ +++"), fullPass(1, d, "--- +++ +++")
	late.Manifest.Start, early.Manifest.Run = late.Manifest.Start.Add(time.Millisecond), early.Manifest.Run+"-z"
	b := parsed(t, encoded(t, accepted(t, d, late, early)))
	if got := b.Counting("default"); got[0].Run != early.Manifest.Run {
		t.Errorf("the first run is %s", got[0].Run)
	}
	p := b.Pool("default", 0, 3)
	if *p.Items[0].Last != of(3, 3) {
		t.Errorf("the last run is %+v", p.Items[0].Last)
	}
	if b.Runs[0].Run != late.Manifest.Run {
		t.Errorf("the file begins with %s", b.Runs[0].Run)
	}
	if got := b.Pool("default", 1, 3); got.Runs[0].Run != late.Manifest.Run {
		t.Errorf("the pool of one run is %s", got.Runs[0].Run)
	}
}
