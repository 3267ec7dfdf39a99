package gate_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/seed-5817661a/concur/ablations/gate"
)

// row is a pass of one configuration of an ablation's run.
func row(day int, configuration, marks string) gate.RunPass {
	p := fullPass(day, smallSet(), marks)
	p.Manifest.Configurations[0].Name = configuration
	for i := range p.Records {
		p.Records[i].Configuration = configuration
	}
	return p
}

// twoRows is a baseline with two configurations of each of two runs.
func twoRows(t testing.TB) *gate.Baseline {
	t.Helper()
	return accepted(t, smallSet(), row(1, "terse", "--- +++ +++"), row(1, "default", "+++ +++ +++"), row(2, "default", "++- +++ +++"), row(2, "terse", "--+ +++ +++"))
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
		p := b.Pool(configuration, 0)
		if len(p.Runs) != 2 || p.Items[0].History != of(right, 6) {
			t.Errorf("%s: %d runs, %+v", configuration, len(p.Runs), p.Items[0])
		}
	}
	for _, c := range []string{"default", "terse"} {
		err := b.Add(gate.Candidate{Passes: []gate.RunPass{row(2, c, "+++ +++ +++")}}, smallSet())
		if err == nil || !strings.Contains(err.Error(), "is there already") {
			t.Errorf("%s again: %v", c, err)
		}
	}
	if err := b.Add(gate.Candidate{Passes: []gate.RunPass{row(2, "third", "+++ +++ +++")}}, smallSet()); err != nil {
		t.Errorf("a third configuration: %v", err)
	}
	// A reset is of one configuration.
	if err := b.Reset(gate.Reset{Configuration: "terse", Time: onDay(2), Author: "ann", Reason: "meant"}); err != nil {
		t.Fatal(err)
	}
	if terse, other := b.Counting("terse"), b.Counting("default"); len(terse) != 1 || len(other) != 2 {
		t.Errorf("after the reset %d and %d runs count", len(terse), len(other))
	}
	if run, ok := b.Holds("third", runNameOf(2)); !ok || run != runNameOf(2) {
		t.Errorf("the run is not found: %q", run)
	}
	if _, ok := b.Holds("third", runNameOf(1)); ok {
		t.Error("a run of other configurations is found")
	}
}

func TestOrderOfRowsIsOfNoMatter(t *testing.T) {
	t.Parallel()
	whole := encoded(t, twoRows(t))
	lines := strings.SplitAfter(strings.TrimSuffix(whole, "\n"), "\n")
	lines[len(lines)-1] += "\n"
	rapid.Check(t, func(t *rapid.T) {
		shuffled := lines[0] + strings.Join(rapid.Permutation(append(lines[1:], lines[1:]...)).Draw(t, "lines"), "")
		b, err := gate.ParseBaseline("", []byte(shuffled))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := b.Encode(); err != nil || string(got) != whole {
			t.Fatalf("%v\n%s", err, got)
		}
	})
}

// older is the text as earlier versions wrote it: queries do not name a configuration.
func older(text string) string {
	var out strings.Builder
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, `{"kind":"query"`) {
			line = strings.Replace(line, `"configuration":"default",`, "", 1)
		}
		out.WriteString(line)
	}
	return out.String()
}

func TestReadOlderBaseline(t *testing.T) {
	t.Parallel()
	whole := twoRuns(t)
	for name, text := range map[string]string{"older": older(whole), "merged with a newer one": older(whole) + whole} {
		if strings.Count(text, `"configuration"`) == strings.Count(whole, `"configuration"`) && name == "older" {
			t.Fatal("the text is not older")
		}
		if got := encoded(t, parsed(t, text)); got != whole {
			t.Errorf("%s: read as\n%s", name, got)
		}
	}
	if _, err := gate.ParseBaseline("b", []byte(older(encoded(t, twoRows(t))))); err == nil ||
		!strings.Contains(err.Error(), "query calc-01 of run 20260301T090000-small-0a0b does not say of which configuration it is, and the run has default, terse") {
		t.Errorf("queries of either configuration: %v", err)
	}
	lines := strings.SplitAfter(encoded(t, twoRows(t)), "\n")
	for name, c := range map[string]struct{ text, want string }{
		"a query less":       {strings.Join(slices.Delete(slices.Clone(lines), 6, 7), ""), "run 20260301T090000-small-0a0b, configuration terse, has lines of 2 queries"},
		"no line of the row": {strings.Join(slices.Delete(slices.Clone(lines), 5, 6), ""), "run 20260301T090000-small-0a0b, configuration terse, has no line of its own"},
		"told twice":         {strings.Join(lines, "") + strings.Replace(lines[6], "incorrect", "correct", 1), "line 7 says something else of query calc-01 of run 20260301T090000-small-0a0b, configuration terse"},
	} {
		if _, err := gate.ParseBaseline("b", []byte(c.text)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v\nwant %s", name, err, c.want)
		}
	}
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
	p := b.Pool("default", 0)
	if *p.Items[0].Last != of(3, 3) {
		t.Errorf("the last run is %+v", p.Items[0].Last)
	}
	if b.Runs[0].Run != late.Manifest.Run {
		t.Errorf("the file begins with %s", b.Runs[0].Run)
	}
	if got := b.Pool("default", 1); got.Runs[0].Run != late.Manifest.Run {
		t.Errorf("the pool of one run is %s", got.Runs[0].Run)
	}
	if run, ok := p.Holds(early.Manifest.Run); !ok || run != early.Manifest.Run {
		t.Errorf("the pool does not hold %s", early.Manifest.Run)
	}
	if _, ok := b.Pool("default", 1).Holds(early.Manifest.Run); ok {
		t.Error("the pool of one run holds two")
	}
}
