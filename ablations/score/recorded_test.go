package score_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/ablations"
	"github.com/seed-5817661a/concur/ablations/score"
	"github.com/seed-5817661a/concur/datasets/answer"
)

// dataFile is a file of the recorded data. It skips the test without CONCUR_DATA.
func dataFile(t *testing.T, path ...string) string {
	t.Helper()
	folder := os.Getenv("CONCUR_DATA")
	if folder == "" {
		t.Skip("CONCUR_DATA is not set")
	}
	return filepath.Join(append([]string{folder}, path...)...)
}

// published is an entry of an expected.json: percentages, each to the printed digit.
type published struct {
	Note       string
	Queries    int                    `json:"n_questions"`
	Samples    int                    `json:"samples_per_question"`
	MeanSingle json.Number            `json:"mean_single"`
	Maj        map[string]json.Number `json:"maj_at_K"`
	Any        map[string]json.Number `json:"any_at_K"`
	Pass       map[string]json.Number `json:"pass_at_k_unbiased"`
	PassHat    map[string]json.Number `json:"pass_hat_k"`
	Beta       map[string]struct {
		Mean  json.Number `json:"avg_samples"`
		Total json.Number `json:"total_samples"`
		Acc   json.Number
		Agree json.Number `json:"agree_with_full_vote"`
	} `json:"beta_stop"`
	Windows map[string]struct {
		Mean json.Number `json:"avg_samples"`
		Acc  json.Number
	} `json:"esc_window"`
	AUROC     json.Number `json:"auroc_vote_share"`
	Unanimous struct {
		N   json.Number
		Acc json.Number
	}
	PerModel map[string]int `json:"per_model_correct"`
}

func readPublished(t *testing.T, set string) []published {
	t.Helper()
	raw, err := os.ReadFile(dataFile(t, set, "expected.json"))
	if err != nil {
		t.Fatal(err)
	}
	if bytes.HasPrefix(raw, []byte("{")) {
		raw = append(append([]byte("["), raw...), ']')
	}
	var out []published
	if err := json.Unmarshal(raw, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// equal compares a figure with a published one, to its last printed digit.
func equal(t *testing.T, what string, got float64, want json.Number) {
	t.Helper()
	decimals := 0
	if _, fraction, ok := strings.Cut(want.String(), "."); ok {
		decimals = len(fraction)
	}
	w, err := want.Float64()
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	// Trailing zeros are not printed: 43.33 may be 43.3300 to four digits.
	if math.Abs(got-w) > 0.5*math.Pow10(-max(decimals, 4))+1e-9 {
		t.Errorf("%s is %v, published %s", what, got, want)
	}
	compared++
}

var compared int

// TestRecordedDataFigures reproduces every published figure of the recorded answers: by the
// gold, normalised or not, and by the verdicts that were recorded.
func TestRecordedDataFigures(t *testing.T) {
	trivia, gsm := "uqnlg_triviaqa20", "gsm8k_example_solutions"
	for _, c := range []struct {
		set   string
		entry int
		o     score.Options
	}{
		{trivia, 0, score.Options{Norm: score.NormSQuAD}},
		{trivia, 1, score.Options{}},
		{gsm, 0, score.Options{}},
		{gsm, 0, score.Options{Fields: score.Fields{Correct: "is_correct"}}},
		{gsm, 0, score.Options{Norm: score.NormTyped, Type: answer.Decimal}},
	} {
		t.Run(fmt.Sprint(c.set, " ", c.o.Norm, c.o.Fields.Correct), func(t *testing.T) {
			compared = 0
			s, err := score.Files(t.Context(), []string{dataFile(t, c.set, "data.jsonl.gz")}, nil, c.o, ablations.Options{})
			if err != nil {
				t.Fatal(err)
			}
			compare(t, s, readPublished(t, c.set)[c.entry])
			if compared < 30 {
				t.Errorf("%d figures were compared", compared)
			}
		})
	}
}

func compare(t *testing.T, s *score.Score, want published) {
	t.Helper()
	if s.N != want.Queries || s.K != want.Samples || s.LeftOut != nil {
		t.Errorf("n, k, left out are %d, %d, %v, published %d, %d", s.N, s.K, s.LeftOut, want.Queries, want.Samples)
	}
	equal(t, "mean single", 100**s.MeanSingle, want.MeanSingle)
	equal(t, "AUROC", *s.AUROC, want.AUROC)
	unanimous := s.Unanimity[s.K]
	equal(t, "unanimous", *unanimous.Rate*float64(s.N), want.Unanimous.N)
	equal(t, "right if unanimous", 100**unanimous.Accuracy, want.Unanimous.Acc)
	for key := range want.Maj {
		k, err := strconv.Atoi(key)
		if err != nil {
			t.Fatal(err)
		}
		equal(t, "maj@"+key, 100*s.MajFirstK[k], want.Maj[key])
		equal(t, "any@"+key, 100*s.AnyAtK[k], want.Any[key])
		equal(t, "pass@"+key, 100**s.PassAtK[k], want.Pass[key])
		equal(t, "pass^"+key, 100**s.PassHatK[k], want.PassHat[key])
	}
	windows := 0
	for _, r := range s.Stopping {
		name := r.String()
		switch r.Rule {
		case "beta":
			w := want.Beta[fmt.Sprint(*r.Threshold)]
			equal(t, name+" mean", r.MeanSamples, w.Mean)
			equal(t, name+" total", float64(r.TotalSamples), w.Total)
			equal(t, name+" accuracy", 100*r.Accuracy, w.Acc)
			equal(t, name+" agreement", 100*r.AgreeWithFullVote, w.Agree)
		case "window":
			if w, ok := want.Windows[fmt.Sprint(*r.Threshold)]; ok {
				windows++
				equal(t, name+" mean", r.MeanSamples, w.Mean)
				equal(t, name+" accuracy", 100*r.Accuracy, w.Acc)
			}
		case "curtailment":
			if r.AgreeWithFullVote != 1 {
				t.Errorf("curtailment agrees with the full vote on %v", r.AgreeWithFullVote)
			}
		}
	}
	if windows != len(want.Windows) {
		t.Errorf("%d windows, published %d", windows, len(want.Windows))
	}
}

// TestRecordedDataModels scores the four models of GSM8K one by one, and compares the two
// large ones: McNemar's counts are those of the flags.
func TestRecordedDataModels(t *testing.T) {
	path := dataFile(t, "gsm8k_example_solutions", "data.jsonl.gz")
	want := readPublished(t, "gsm8k_example_solutions")[0].PerModel
	scores := map[string]*score.Score{}
	for i, model := range []string{"6b_finetuning", "6b_verification", "175b_finetuning", "175b_verification"} {
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		s, err := score.Read(t.Context(), model, f, score.Options{Queries: true, Fields: score.Fields{Answers: fmt.Sprint("answers.", i)}})
		if err != nil {
			t.Fatal(err)
		}
		if s.K != 1 || s.Verdicts.Correct != want[model] || s.Verdicts.Queries != 1319 {
			t.Errorf("%s: K %d, verdicts %+v, published %d", model, s.K, s.Verdicts, want[model])
		}
		scores[model] = s
	}
	now := scores["175b_verification"]
	if err := now.Against(scores["175b_finetuning"], ablations.Options{}); err != nil {
		t.Fatal(err)
	}
	c := now.Comparison
	if *c.Gains != 360 || *c.Losses != 76 || c.Queries != 1319 || c.Call != "better" {
		t.Errorf("gains %d, losses %d of %d, %s; want 360, 76 of 1319, better", *c.Gains, *c.Losses, c.Queries, c.Call)
	}
}
