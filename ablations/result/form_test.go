package result_test

import (
	"testing"

	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/trace"
)

func TestFaultsOfFormAreSummed(t *testing.T) {
	rec := record("default", "a", "lookup", judge.Correct, trace.Answered, trace.Answered)
	rec.Answers[0].Format = trace.Format{Errors: 1, Repaired: 2, Invented: 3, Dropped: 4}
	rec.Answers[1].Format = trace.Format{Errors: 10, Repaired: 20, Invented: 30, Dropped: 40}
	got := summarize(t, manifest(1, 2, "default"), rec).Configurations[0].Traces.Format
	if want := (trace.Format{Errors: 11, Repaired: 22, Invented: 33, Dropped: 44}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}
