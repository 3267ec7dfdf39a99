package score_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/ablations/score"
	"github.com/seed-5817661a/concur/datasets/answer"
)

// FuzzRead: every line that is not blank is a query or a named fault, whatever it holds, and
// every score has a JSON form.
func FuzzRead(f *testing.F) {
	for _, seed := range []string{
		`{"id":1,"gold":"a","answers":["a","b",null]}`, `{"answers":1,"gold":[1,"x"]}`, `{"answers":[[]]}`, "x", "{}", "\xff",
		`{"id":"\u0000","gold":"é","answers":["É"," "]}` + "\n\n" + `{"gold":1e400,"answers":[-0,1e400]}`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if strings.HasPrefix(text, "\x1f\x8b") {
			t.Skip("compressed")
		}
		whole := 0
		for _, l := range strings.Split(strings.TrimPrefix(text, "\uFEFF"), "\n") {
			if strings.TrimSpace(l) != "" {
				whole++
			}
		}
		for _, o := range []score.Options{{}, {Norm: score.NormSQuAD, Nulls: score.NullsAbstain}, {Type: answer.Decimal}} {
			_, err := score.Read(t.Context(), "f", strings.NewReader(text), o)
			faults, wrong := errors.AsType[*score.Faults](err)
			o.Partial = true
			s, err := score.Read(t.Context(), "f", bytes.NewReader([]byte(text)), o)
			if err != nil {
				continue // nothing to score
			}
			left := 0
			if s.LeftOut != nil {
				left = s.LeftOut.Lines
			}
			if s.Verdicts.Queries+left != whole || wrong != (left > 0) || wrong && !slices.Equal(faults.First, s.LeftOut.First) {
				t.Errorf("%d lines gave %d queries, %d left out, %v", whole, s.Verdicts.Queries, left, faults)
			}
			if _, err := json.Marshal(s); err != nil {
				t.Error(err)
			}
		}
	})
}
