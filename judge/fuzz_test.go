package judge_test

import (
	"testing"

	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/model/asking/askingtest"
)

// FuzzCorrectnessReply holds for any reply: an answer passes only by an object with a score that passes and criteria that agree with it.
func FuzzCorrectnessReply(f *testing.F) {
	for _, seed := range []string{
		right(), wrong(), right() + wrong(), "", "{", "null", "Score: 5", grade(true, true, true, 5, 100), grade(true, true, false, 6, 0),
		`{"extracted_answer":"","criteria":{"correct":true,"correct":false},"score":5,"confidence":1}`, "\xff" + right(),
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, err := correctness(askingtest.Script(text, text)).Judge(t.Context(), capital(), subjectOf("that city"))
		if err != nil {
			t.Fatal(err)
		}
		if scored := got.Verdict.Verdict != judge.Unscored; scored != (got.Score != nil) {
			t.Fatalf("%q: %+v", text, got)
		}
		if got.Verdict.Verdict != judge.Correct {
			return
		}
		if *got.Score < 4 || *got.Score > 5 || !got.Criteria.Correct || got.Criteria.ContradictsReference {
			t.Fatalf("%q passed: %+v", text, got)
		}
	})
}
