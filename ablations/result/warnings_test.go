package result_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

// Of a part of a run there is no pass rate that could count the unscored as anything.
func TestUnscoredInAPartOfARun(t *testing.T) {
	m := manifest(4, 1, "default")
	m.State = store.Interrupted
	r := summarize(t, m, repeat(0, 2, judge.Unscored, trace.Infra)...)
	warnings := strings.Join(r.Warnings, "\n")
	if !strings.Contains(warnings, "2 of 4 queries are unscored; they widen the bounds") || strings.Contains(warnings, "pass rate") {
		t.Errorf("warnings %q", warnings)
	}
}

func TestWarnings(t *testing.T) {
	const a, n, i = trace.Answered, trace.NoAnswer, trace.Infra
	// withInfra is a run of 50 queries at K=1, the first bad of which failed as infra.
	withInfra := func(bad int) []store.Record {
		return slices.Concat(repeat(0, bad, judge.Unscored, i), repeat(bad, 50-bad, judge.Correct, a))
	}
	one := func(v judge.Ruling, outcomes ...trace.Outcome) []store.Record {
		return []store.Record{record("default", "q-1", "lookup", v, outcomes...)}
	}
	// form is a query of three traces, as many of which are of a kind.
	form := func(of int, change func(*store.Answer)) []store.Record {
		out := one(judge.Incorrect, n, n, n)
		for i := range of {
			change(&out[0].Answers[i])
		}
		return out
	}
	overflow := func(a *store.Answer) { a.StopReason = trace.ContextOverflow }
	cutOff := func(a *store.Answer) { a.Format.CutOff = 1 }
	asked := func(a *store.Answer) { a.Format.Reminders = 1 }
	for _, c := range []struct {
		name    string
		k       int
		records []store.Record
		want    []string // a part of each warning, in order
		invalid bool
	}{
		{"most traces overflow", 3, form(2, overflow), []string{"2 of 3 traces did not fit the context of the model; give it a longer one"}, false},
		{"one overflows", 3, form(1, overflow), nil, false},
		{"most are cut off", 3, form(3, cutOff), []string{"3 final messages of 3 traces were cut off at the token limit; allow more"}, false},
		{"cut off and so without the line", 3, form(3, func(a *store.Answer) { cutOff(a); asked(a) }), []string{"3 final messages of 3 traces were cut off at the token limit; allow more"}, false},
		{"one is cut off", 3, form(1, cutOff), nil, false},
		{"most lack the line", 3, form(2, asked), []string{"2 final messages of 3 traces lacked their answer line"}, false},
		{"one lacks the line", 3, form(1, asked), nil, false},
		{"nothing to say", 3, one(judge.Correct, a, a, a), nil, false},
		{"K=1 is odd", 1, one(judge.Correct, a), nil, false},
		{"even K", 2, one(judge.Correct, a, a), []string{"K=2 is even"}, false},
		{"no_answer is the agent's own failure", 3, one(judge.Incorrect, n, n, n), nil, false},
		{"a query without a valid trace", 3, one(judge.Unscored, i, i, i), []string{"1 of 1 query has no valid trace", "3 of 3 traces failed", "3 traces failed like trace 0 of q-1 (timeout)", "1 of 1 query is unscored"}, true},
		{"one no_answer is a valid trace", 3, one(judge.Unscored, i, i, n), []string{"2 of 3 traces failed", "2 traces failed like", "pass@3 and pass^3 leave out 1 of 1 query", "unscored"}, false},
		{"infra at 2 % is still valid", 1, withInfra(1), []string{"no valid trace", "1 trace failed like", "1 of 50 queries is unscored"}, true},
		{"infra above 2 %", 1, withInfra(2), []string{"no valid trace", "2 of 50 traces failed as infra; above 2 %", "2 traces failed like", "2 of 50 queries are unscored"}, true},
	} {
		r := summarize(t, manifest(len(c.records), c.k, "default"), c.records...)
		if len(r.Warnings) != len(c.want) {
			t.Errorf("%s: warnings %q, want %d", c.name, r.Warnings, len(c.want))
			continue
		}
		for j, w := range r.Warnings {
			if !strings.HasPrefix(w, "default: ") || !strings.Contains(w, c.want[j]) {
				t.Errorf("%s: warning %q, want one of default with %q", c.name, w, c.want[j])
			}
		}
		if r.Invalid() != c.invalid {
			t.Errorf("%s: invalid %v, want %v", c.name, r.Invalid(), c.invalid)
		}
	}
}
