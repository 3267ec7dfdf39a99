package reports_test

import (
	"bytes"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/internal/golden"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/reports"
	"github.com/seed-5817661a/concur/reports/reporttest"
	"github.com/seed-5817661a/concur/runner/store"
)

func junitOf(t *testing.T, r *result.Result, records []store.Record) string {
	t.Helper()
	return written(t, func(b *bytes.Buffer) error { return reports.WriteJUnit(b, r, store.RowsOf(records...)) })
}

// tried gives the traces of a record their verdicts, and the record its time.
func tried(r store.Record, rulings ...judge.Ruling) store.Record {
	for i, v := range rulings {
		r.Answers[i].Verdict = v
	}
	r.Timing.WallS = 1.5
	return r
}

func triedRecords() []store.Record {
	return []store.Record{
		tried(record("steady", judge.Correct, "equal entities", "Nile", "Nile", "Nile"), judge.Correct, judge.Correct, judge.Correct),
		tried(record("flaky", judge.Correct, "equal entities", "Nile", "Nile", "Amazon"), judge.Correct, judge.Correct, judge.Incorrect),
		tried(record("flaky and wrong", judge.Incorrect, `"amazon" is not "nile"`, "Amazon", "Nile", "Amazon"), judge.Incorrect, judge.Correct, judge.Incorrect),
		tried(record("lost one", judge.Correct, "equal entities", "Nile", "Nile", "infra"), judge.Correct, judge.Correct, judge.Unscored),
		tried(record("no verdict", judge.Unscored, "the judge gave no verdict", "Nile", "Nile", "Nile"), judge.Unscored, judge.Unscored, judge.Unscored),
	}
}

func TestJUnit(t *testing.T) {
	got := junitOf(t, oneConfiguration(), triedRecords())
	golden.Check(t, "testdata/junit_run.xml", got)
	s := reporttest.ReadJUnit(t, got)
	if len(s.Suites) != 1 || s.Failures != 1 || s.Errors != 1 {
		t.Fatalf("%+v", s.Counted)
	}
	for _, c := range s.Suites[0].Cases {
		if (len(c.Flaky) > 0) != (c.Name == "flaky") {
			t.Errorf("%s: flakes %v", c.Name, c.Flaky)
		}
	}
}

// The same query of two configurations gives two cases, and queries without a record count.
func TestJUnitOfSeveral(t *testing.T) {
	r := offlineAblation()
	r.Configurations[1].Counts.Missing = 2
	var records []store.Record
	for _, name := range []string{"full", "k=1"} {
		for _, rec := range triedRecords() {
			rec.Configuration = name
			records = append(records, rec)
		}
	}
	s := reporttest.ReadJUnit(t, junitOf(t, r, records))
	if len(s.Suites) != 6 || s.Tests != 11 || s.Errors != 3 {
		t.Errorf("%d suites, %+v", len(s.Suites), s.Counted)
	}
	seen := map[string]bool{}
	for _, one := range s.Suites {
		for _, c := range one.Cases {
			if key := c.Class + "\x00" + c.Name; seen[key] {
				t.Errorf("%q twice", key)
			} else {
				seen[key] = true
			}
		}
	}
}

func TestJUnitOfHostileText(t *testing.T) {
	result, records := hostileResult(), triedRecords()
	for i := range records {
		r := &records[i]
		r.Configuration = result.Configurations[0].Name
		r.Query, r.Category, r.Question, r.Verdict.Reason = evil+r.Query, evil, "]]>\x00\ufffe\uffff\r\n", evil
		cause := evil
		r.Answers[2].Answer, r.Answers[2].Cause = nil, &cause
	}
	got := junitOf(t, result, records)
	golden.Check(t, "testdata/junit_hostile.xml", got)
	reporttest.ReadJUnit(t, got)
}

func TestJUnitOfNothing(t *testing.T) {
	reporttest.ReadJUnit(t, junitOf(t, &result.Result{}, nil))
	reporttest.ReadJUnit(t, junitOf(t, &result.Result{}, []store.Record{{}}))
}

// JUnit XML of any text is XML that says the same text as far as XML can.
func TestJUnitIsXML(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.String(), attack, rapid.SampledFrom([]string{"]]>", "]]]]>>", "\x0b", "\ufffe", "\xed\xa0\x80", strings.Repeat("é", 5000)}))
		r := attacked(t)
		rec := queryRecords()[0]
		rec.Configuration, rec.Query, rec.Category, rec.Question, rec.Verdict.Reason = text.Draw(t, "c"), text.Draw(t, "q"), text.Draw(t, "g"), text.Draw(t, "Q"), text.Draw(t, "r")
		r.Configurations[0].Name = rec.Configuration
		rec.Verdict.Verdict = rapid.SampledFrom([]judge.Ruling{judge.Correct, judge.Incorrect, judge.Unscored, "?"}).Draw(t, "v")
		got := reporttest.Written(t, func(b *bytes.Buffer) error { return reports.WriteJUnit(b, r, store.RowsOf(rec)) })
		reporttest.ReadJUnit(t, got)
		if strings.ContainsAny(got, steering) {
			t.Fatalf("control characters in %q", got)
		}
	})
}
