package confirm

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/seed-5817661a/concur/ablations/baseline"
	"github.com/seed-5817661a/concur/ablations/gate"
	"github.com/seed-5817661a/concur/runner/store"
)

// tape is an agent whose fresh traces are known: + right, - wrong, ! lost once and then right.
type tape struct {
	tapes map[string]string
	ran   map[string][]gate.TraceResult
	log   []string
	says  []string // what makes them no evidence
	fail  error
	dead  bool // what is lost stays lost
}

func (f *tape) State(context.Context) (State, error) {
	for q, marks := range f.ran {
		for i, m := range marks {
			if m == gate.Lost && !f.dead {
				f.log, marks[i] = append(f.log, fmt.Sprintf("%s %d again", q, i)), gate.Right
			}
		}
	}
	return State{Marks: f.ran, Invalid: f.says}, nil
}

func (f *tape) Run(_ context.Context, batches []Batch) error {
	for _, b := range batches {
		f.log = append(f.log, fmt.Sprintf("%s %d+%d", strings.Join(b.Queries, ","), b.First, b.Traces))
		if f.fail != nil {
			return f.fail
		}
		for _, q := range b.Queries {
			if b.First != len(f.ran[q]) {
				return fmt.Errorf("%s begins at %d, and %d exist", q, b.First, len(f.ran[q]))
			}
			for _, r := range f.tapes[q][b.First : b.First+b.Traces] {
				f.ran[q] = append(f.ran[q], map[rune]gate.TraceResult{'+': gate.Right, '-': gate.Wrong, '!': gate.Lost}[r])
			}
		}
	}
	return nil
}

func newTape(tapes map[string]string) *tape {
	return &tape{tapes: tapes, ran: map[string][]gate.TraceResult{}}
}

func evidence(right ...int) gate.Evidence {
	e := gate.Evidence{PoolRuns: 5, K: 3}
	for i, x := range right {
		e.Items = append(e.Items, gate.Item{Query: string(rune('a' + i)), Current: gate.Traces{Right: x, Wrong: 3 - x}, History: gate.Traces{Right: 15}, Runs: 5})
	}
	return e
}

func TestServiceRunsWhatIsNeeded(t *testing.T) {
	good, bad := strings.Repeat("+", 36), strings.Repeat("-", 36)
	for name, c := range map[string]struct {
		e     gate.Evidence
		tapes map[string]string
		want  gate.Decision
		log   []string
	}{
		"quiet":      {evidence(3, 3, 3), nil, gate.Pass, nil},
		"broken":     {evidence(0, 3, 3, 3, 3), map[string]string{"a": bad}, gate.Regression, []string{"a 0+3", "a 3+3"}},
		"two broken": {evidence(0, 0, 3, 3, 3), map[string]string{"a": bad, "b": bad}, gate.Regression, []string{"a,b 0+3", "a,b 3+3"}},
		"a slip":     {evidence(2, 3, 3, 3, 3, 3), map[string]string{"a": good}, gate.Pass, []string{"a 0+3"}},
		"lost once": {evidence(2, 3, 3, 3, 3, 3), map[string]string{"a": "+!+" + good}, gate.Pass,
			[]string{"a 0+3", "a 1 again"}},
	} {
		f := newTape(c.tapes)
		e, out, err := Service{Fresh: f}.Decide(context.Background(), c.e, gate.Options{})
		if err != nil || out.Decision != c.want {
			t.Errorf("%s: %s, %v, %v", name, out.Decision, out.Reasons, err)
		}
		if diff := cmp.Diff(c.log, f.log); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		// Asked again nothing runs, and the decision is the same.
		n := len(f.log)
		if again, second, err := (Service{Fresh: f}).Decide(context.Background(), c.e, gate.Options{}); err != nil || len(f.log) != n || cmp.Diff(out, second)+cmp.Diff(e, again) != "" {
			t.Errorf("%s: asked again it ran %v and said %s, %v", name, f.log[n:], second.Decision, err)
		}
	}
}

// Fresh traces that another question asked for, with a name of its own, are left alone.
func TestServiceTakesWhatItAskedFor(t *testing.T) {
	f := newTape(nil)
	f.ran["a"], f.ran["b"] = make([]gate.TraceResult, 36), make([]gate.TraceResult, 9)
	e, out, err := Service{Fresh: f}.Decide(t.Context(), evidence(0, 3, 3, 3, 3), gate.Options{})
	if err != nil || out.Decision != gate.Regression || len(e.Items[0].Fresh) != 6 || len(e.Items[1].Fresh) != 0 || f.log != nil {
		t.Errorf("%s with %d and %d fresh traces, ran %v, %v", out.Decision, len(e.Items[0].Fresh), len(e.Items[1].Fresh), f.log, err)
	}
	f.says = []string{"a cache"} // shown with the traces that it is about
	e, out, err = Service{Fresh: f}.Decide(t.Context(), evidence(0, 3, 3, 3, 3), gate.Options{})
	if err != nil || out.Decision != gate.Invalid || len(e.Items[0].Fresh) != 6 || f.log != nil {
		t.Errorf("a cache: %s with %d fresh traces, ran %v, %v", out.Decision, len(e.Items[0].Fresh), f.log, err)
	}
}

func TestServiceStops(t *testing.T) {
	bad := map[string]string{"a": strings.Repeat("-", 36)}
	forbidden := fmt.Errorf("%w: no more money", ErrStopped)
	for name, c := range map[string]struct {
		s    Service
		f    *tape
		o    gate.Options
		want string // in the reasons
	}{
		"not allowed":   {Service{Before: func(Round) error { return forbidden }}, newTape(bad), gate.Options{}, "no more money"},
		"budget spent":  {Service{}, &tape{tapes: bad, ran: map[string][]gate.TraceResult{}, fail: forbidden}, gate.Options{}, "no more money"},
		"--no-confirm":  {Service{}, newTape(bad), gate.Options{NoFresh: "--no-confirm"}, "--no-confirm"},
		"lost for good": {Service{}, &tape{tapes: map[string]string{"a": "--!---"}, ran: map[string][]gate.TraceResult{}, dead: true}, gate.Options{}, "were lost to the infrastructure"},
		"another error": {Service{}, &tape{tapes: bad, ran: map[string][]gate.TraceResult{}, fail: errors.New("the disk is full")}, gate.Options{}, "ERROR"},
	} {
		s := c.s
		s.Fresh = c.f
		_, out, err := s.Decide(context.Background(), evidence(0, 3, 3, 3), c.o)
		switch {
		case c.want == "ERROR":
			if err == nil {
				t.Errorf("%s: no error", name)
			}
		case err != nil || out.Decision != gate.Inconclusive || !strings.Contains(strings.Join(out.Reasons, " "), c.want):
			t.Errorf("%s: %s, %q, %v", name, out.Decision, out.Reasons, err)
		}
	}
}

// half has a query that is right in every other fresh trace, so that many are needed.
func half() *tape { return newTape(map[string]string{"a": strings.Repeat("+-", 18)}) }

// Late traces wait for another session where that is wanted, and early ones do not.
func TestSpacing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ended := time.Now()
		time.Sleep(time.Minute)
		var rounds []Round
		s := Service{
			Fresh: half(), Spaced: 30 * time.Minute, Ended: ended, Wait: Until,
			Before: func(r Round) error { rounds = append(rounds, r); return nil },
		}
		_, out, err := s.Decide(t.Context(), evidence(0, 3, 3, 3), gate.Options{Spaced: true})
		if err != nil || out.Decision != gate.Regression || out.GoOn != nil {
			t.Fatalf("%s, %v, %v", out.Decision, out.Reasons, err)
		}
		if waited := time.Since(ended); waited < 30*time.Minute || waited > 30*time.Minute+time.Second {
			t.Errorf("it waited %v", waited)
		}
		if len(rounds) < 4 || rounds[0].Traces != 3 || rounds[0].Before != 0 || rounds[0].Most != 36+3*9 || rounds[3].Before != 12 || rounds[2].Begins != (time.Time{}) || !rounds[3].Begins.Equal(ended.Add(30*time.Minute)) {
			t.Errorf("%+v", rounds)
		}
	})
}

// Without being asked to wait the decision stays open, and says how it goes on. In another session it does.
func TestNeverSleeps(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ended := time.Now()
		time.Sleep(time.Minute)
		f := half()
		s := Service{Fresh: f, Spaced: 30 * time.Minute, Ended: ended, Again: "concur gate r1"}
		before := time.Now()
		e, out, err := s.Decide(t.Context(), evidence(0, 3, 3, 3), gate.Options{Spaced: true})
		if err != nil || out.Decision != gate.Inconclusive || out.GoOn == nil || out.GoOn.Command != "concur gate r1" || out.GoOn.After.Before(ended.Add(30*time.Minute)) || time.Since(before) != 0 {
			t.Fatalf("%s, %v, go on %+v, after %v: %v", out.Decision, out.Reasons, out.GoOn, time.Since(before), err)
		}
		if len(e.Items[0].Fresh) != 12 || !strings.Contains(out.Reasons[len(out.Reasons)-1], "run `concur gate r1` after ") {
			t.Errorf("%d fresh traces, %q", len(e.Items[0].Fresh), out.Reasons)
		}
		time.Sleep(time.Until(out.GoOn.After))
		if _, out, err = s.Decide(t.Context(), evidence(0, 3, 3, 3), gate.Options{Spaced: true}); err != nil || out.Decision != gate.Regression || out.GoOn != nil {
			t.Errorf("in another session: %s, %v, %v", out.Decision, out.Reasons, err)
		}
	})
}

// What may be had now comes first, though something else has to wait.
func TestMixedRounds(t *testing.T) {
	f := half()
	f.tapes["s"] = strings.Repeat("+", 10)
	e := evidence(0, 3, 3, 3)
	e.Items = append(e.Items, gate.Item{Query: "s", Safety: true, Current: gate.Traces{Right: 3}})
	f.ran["a"] = nil
	for _, r := range f.tapes["a"][:12] {
		f.ran["a"] = append(f.ran["a"], map[rune]gate.TraceResult{'+': gate.Right, '-': gate.Wrong}[r])
	}
	_, out, err := Service{Fresh: f, Spaced: time.Hour, Ended: time.Now()}.Decide(t.Context(), e, gate.Options{Spaced: true})
	if err != nil || out.GoOn == nil || len(f.ran["s"]) != 7 || len(f.ran["a"]) != 12 {
		t.Errorf("%s, ran %v, %v", out.Decision, f.log, err)
	}
}

// A clock that is set back does not hold up a wait, and one that jumps ahead, as after a suspend, ends it.
func TestUntil(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for name, c := range map[string]struct {
			off    time.Duration // of the clock, two seconds after the wait began
			waited time.Duration
		}{"steady": {0, time.Minute}, "back": {-time.Hour, time.Minute}, "suspended": {time.Hour, 2 * time.Second}, "a little": {30 * time.Second, 30 * time.Second}} {
			began := time.Now()
			now := func() time.Time {
				if time.Since(began) >= 2*time.Second {
					return time.Now().Add(c.off)
				}
				return time.Now()
			}
			if err := until(t.Context(), began.Add(time.Minute).Round(0), now); err != nil || time.Since(began) != c.waited {
				t.Errorf("%s: waited %v, want %v, %v", name, time.Since(began), c.waited, err)
			}
		}
		ctx, cancel := context.WithCancelCause(t.Context())
		time.AfterFunc(time.Second, func() { cancel(errors.New("enough")) })
		if err := Until(ctx, time.Now().Add(time.Hour)); err == nil || err.Error() != "enough" {
			t.Errorf("a wait that is ended: %v", err)
		}
	})
	// A run from the future, by this clock.
	s := Service{Spaced: time.Hour, Ended: time.Now().Add(1000 * time.Hour)}
	if left := time.Until(s.another()); left > time.Hour {
		t.Errorf("it waits %v", left)
	}
	s.Spaced = 0
	if early, late := s.sessions([]gate.FreshRequest{{Late: true}}); len(early) != 1 || late != nil {
		t.Errorf("the other session has begun: %v, %v", early, late)
	}
}

// Whatever exists, no trace is asked for twice, and none is left out.
func TestBatches(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := State{Marks: map[string][]gate.TraceResult{}}
		var need []gate.FreshRequest
		for i := range rapid.IntRange(1, 5).Draw(t, "queries") {
			q := string(rune('a' + i))
			for range rapid.IntRange(0, 12).Draw(t, "exist") {
				s.Marks[q] = append(s.Marks[q], gate.TraceResult(rapid.IntRange(0, 1).Draw(t, "mark")))
			}
			need = append(need, gate.FreshRequest{Query: q, Traces: rapid.IntRange(1, 12).Draw(t, "asked")})
		}
		got := map[string]int{}
		for _, b := range Batches(s, need) {
			for _, q := range b.Queries {
				if b.First != len(s.Marks[q]) || got[q] != 0 {
					t.Fatalf("%+v, and %d of %s exist", b, len(s.Marks[q]), q)
				}
				got[q] = b.Traces
			}
		}
		for _, a := range need {
			if want := max(0, a.Traces-len(s.Marks[a.Query])); got[a.Query] != want {
				t.Fatalf("%d of %s, want %d", got[a.Query], a.Query, want)
			}
		}
	})
}

// What was said once stays said.
func TestAllow(t *testing.T) {
	q := Question{Alpha: .003, Baseline: "baseline.jsonl", Pool: []string{"r1", "r2"}, Thresholds: map[string]float64{"max-usd": 2}}
	with := func(change func(*Question)) Question {
		c := q
		change(&c)
		return c
	}
	alarm := []Entry{{Question: q, Decision: gate.Regression, Fresh: 6}}
	for name, c := range map[string]struct {
		log   []Entry
		as    string
		q     Question
		fresh int
		want  string // "" where it is allowed
	}{
		"the first":            {nil, "", q, 0, ""},
		"the same":             {alarm, "", q, 6, ""},
		"a smaller alpha":      {alarm, "", with(func(q *Question) { q.Alpha = 1e-6 }), 6, "gated already, with alpha 0.003 (now 1e-06): REGRESSION on 6 fresh traces"},
		"under a name":         {alarm, "release", with(func(q *Question) { q.Alpha = 1e-6 }), 6, ""},
		"a larger alpha":       {alarm, "", with(func(q *Question) { q.Alpha = .01 }), 6, ""},
		"another pool":         {alarm, "", with(func(q *Question) { q.Pool = []string{"r2"} }), 6, "a different pool of 2 runs (now 1)"},
		"another baseline":     {alarm, "", with(func(q *Question) { q.Baseline = "x" }), 6, "the baseline baseline.jsonl (now x)"},
		"strict":               {alarm, "", with(func(q *Question) { q.Strict = true }), 6, "strict "},
		"without a threshold":  {alarm, "", with(func(q *Question) { q.Thresholds = nil }), 6, "the thresholds max-usd:2 (now "},
		"a wider threshold":    {alarm, "", with(func(q *Question) { q.Thresholds = map[string]float64{"max-usd": 3} }), 6, "the thresholds max-usd:2 (now "},
		"a tighter threshold":  {alarm, "", with(func(q *Question) { q.Thresholds = map[string]float64{"max-usd": 1, "floor": .5} }), 6, ""},
		"a frozen baseline":    {alarm, "", with(func(q *Question) { q.Frozen = "old.jsonl" }), 6, ""},
		"traces that are gone": {alarm, "", q, 3, "used 6 fresh traces, of which 3 exist"},
		"gone, under a name":   {alarm, "release", q, 3, "put the folders of fresh traces back"},
		"not decided yet":      {[]Entry{{Question: q}}, "", with(func(q *Question) { q.Alpha = 1e-6 }), 3, "(now 1e-06): no decision yet on 3 fresh traces"},
		"a pass without fresh": {[]Entry{{Question: q, Decision: gate.Pass}}, "", with(func(q *Question) { q.Alpha = 1e-6 }), 0, ""},
		"an alarm without":     {[]Entry{{Question: q, Decision: gate.Regression}}, "", with(func(q *Question) { q.Alpha = 1e-6 }), 0, "REGRESSION on 0 fresh traces"},
		"a name that is taken": {[]Entry{{As: "x", Question: q, Decision: gate.Pass}}, "x", with(func(q *Question) { q.Alpha = .01 }), 0, "use another name"},
	} {
		err := Allow(c.log, c.as, c.q, State{Marks: map[string][]gate.TraceResult{"a": make([]gate.TraceResult, c.fresh)}})
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
	if err := Allow(alarm, "", q, State{Stopped: true}); err != nil {
		t.Errorf("fresh traces that are still to come: %v", err)
	}
	log := append(alarm, Entry{As: "release", Decision: gate.Pass, Fresh: 40}, Entry{Question: q}) // the last was killed
	if own, ok := OwnEntry(log); !ok || own.Decision != gate.Regression {
		t.Errorf("the run's decision is %s", own.Decision)
	}
}

// Going on is the same question: that which asked for fresh traces, or raised an alarm.
func TestBegun(t *testing.T) {
	q := Question{Alpha: .003, Pool: []string{"r1"}}
	fresh, none := State{Marks: map[string][]gate.TraceResult{"a": make([]gate.TraceResult, 3)}}, State{}
	for name, c := range map[string]struct {
		log   []Entry
		as    string
		exist State
		ok    bool
	}{
		"never asked":                 {nil, "", none, false},
		"a pass without fresh traces": {[]Entry{{Question: q, Decision: gate.Pass}}, "", none, false},
		"with fresh traces":           {[]Entry{{Question: q, Decision: gate.Pass}}, "", fresh, true},
		"interrupted":                 {[]Entry{{Question: q}}, "", fresh, true},
		"stopped":                     {[]Entry{{Question: q}}, "", State{Stopped: true}, true},
		"an alarm":                    {[]Entry{{Question: q, Decision: gate.Regression}}, "", none, true},
		"without history":             {[]Entry{{Question: q, Decision: gate.Inconclusive, Bootstrap: true}}, "", fresh, false},
		"another name":                {[]Entry{{Question: q, As: "x", Decision: gate.Pass}}, "", fresh, false},
		"that name":                   {[]Entry{{Question: q, As: "x", Decision: gate.Pass}}, "x", fresh, true},
	} {
		if got, ok := Begun(c.log, c.as, c.exist); ok != c.ok || ok && !slices.Equal(got.Pool, q.Pool) {
			t.Errorf("%s: %v, %+v", name, ok, got)
		}
	}
	if err := Allow([]Entry{{Question: q, Decision: gate.Inconclusive, Bootstrap: true}}, "", Question{Alpha: .003, Pool: []string{"r1", "r2"}}, fresh); err != nil {
		t.Errorf("a question that only lacked history is asked with more of it: %v", err)
	}
	if !Undecided([]Entry{{Decision: gate.Pass}, {}, {As: "x", Decision: gate.Pass}}) || Undecided([]Entry{{}, {Decision: gate.Pass}}) || Undecided(nil) {
		t.Error("which gate was interrupted")
	}
}

// Names of files are fit for any disk, and as different as the configurations.
func TestSuffix(t *testing.T) {
	several := store.Manifest{Configurations: make([]store.Configuration, 2)}
	for name, want := range map[string]string{
		"full": "-full-", "no planner": "-no-planner-", "K=5": "-k-5-", "../../x": "-x-", "größe": "-gr-e-", "…": "-",
		strings.Repeat("a", 200): "-" + strings.Repeat("a", 40) + "-", "": "-",
	} {
		got := Suffix(several, name)
		if !strings.HasPrefix(got, want) || len(got) != len(want)+4 {
			t.Errorf("%q is %q, want %q and four digits", name, got, want)
		}
	}
	if Suffix(several, "a") == Suffix(several, "A") {
		t.Error("a and A share a file")
	}
	if got := Suffix(store.Manifest{Configurations: make([]store.Configuration, 1)}, "full"); got != "" {
		t.Errorf("a run of one configuration has files with %q", got)
	}
	f := Folders{Pass: baseline.Pass{Manifest: several, Configuration: store.Configuration{Name: "full"}}}
	if got, want := f.folder(2), "-fresh"+Suffix(several, "full")+"-2"; got != want {
		t.Errorf("the second folder is %s, want %s", got, want)
	}
}
