package annotate_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/annotate"
	"github.com/seed-5817661a/concur/runner/offline/ngram"
	"github.com/seed-5817661a/concur/tool"
	"github.com/seed-5817661a/concur/tool/calc"
	"github.com/seed-5817661a/concur/tool/calendar"
)

// grouped writes a number with commas.
func grouped(n int) string {
	digits := strconv.Itoa(n)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// templates are sentences with a calculation: the first number, the second, and the result that the text names.
var templates = []string{
	"The hall has %s rows of %s seats each, and %s × %s is %s, more than any other hall in the country.",
	"An order of %[1]s boxes at %[2]s euros a box was sent in May: %[3]s times %[4]s = %[5]s euros, as the bill says.",
	"The printer checked the product %[3]s × %[4]s and found %[5]s, and then he closed the book.",
	"In the older edition one reads that %[3]s × %[4]s → %[5]s, without any further remark.",
	"Workers counted %[1]s crates with %[2]s screws in each. Together, %[3]s multiplied by %[4]s, that makes %[5]s screws.",
}

// misprint returns a false result, of the kinds that are found in print: a digit that is wrong, two that are swapped, a
// digit too few, or another product.
func misprint(random *rand.Rand, right, a, b int) int {
	for {
		digits := []byte(strconv.Itoa(right))
		i := 1 + random.IntN(len(digits)-1)
		switch random.IntN(4) {
		case 0:
			digits[i] = byte('0' + random.IntN(10))
		case 1:
			digits[i], digits[i-1] = digits[i-1], digits[i]
		case 2:
			digits = append(digits[:i:i], digits[i+1:]...)
		case 3:
			digits = []byte(strconv.Itoa(a * (b + 1 + random.IntN(9))))
		}
		if n, err := strconv.Atoi(string(digits)); err == nil && n != right && digits[0] != '0' {
			return n
		}
	}
}

// builtTexts returns 500 texts with a product. In every second one, the result that the text names is false. The first
// false one is that of an article: 7,823 × 4,991 is 39,044,593.
func builtTexts(seed uint64) (texts []string, right []bool) {
	random := rand.New(rand.NewPCG(seed, 0))
	for i := range 500 {
		a, b := 1000+random.IntN(9000), 1000+random.IntN(9000)
		if i == 1 {
			a, b = 7823, 4991
		}
		named := a * b
		if i%2 == 1 {
			named = misprint(random, a*b, a, b)
		}
		if i == 1 {
			named = 39_048_293
		}
		texts = append(texts, fmt.Sprintf(templates[random.IntN(len(templates))], grouped(a), grouped(b), grouped(a), grouped(b),
			grouped(named)))
		right = append(right, i%2 == 0)
	}
	return texts, right
}

// writeCorpus writes texts as a file .jsonl.
func writeCorpus(t testing.TB, texts []string) *annotate.Corpus {
	t.Helper()
	var out strings.Builder
	for i, text := range texts {
		line, err := json.Marshal(map[string]string{"id": fmt.Sprint(i), "text": text, "date": "2026-03-16"})
		if err != nil {
			t.Fatal(err)
		}
		out.Write(append(line, '\n'))
	}
	path := filepath.Join(t.TempDir(), "corpus.jsonl")
	if err := os.WriteFile(path, []byte(out.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	c, err := annotate.OpenCorpus(path)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// options returns options with rules, two tools and a scorer.
func options(t testing.TB, s model.Scorer, names ...string) annotate.Options {
	t.Helper()
	registry, err := tool.New(calc.Tool, calendar.New(time.Now))
	if err != nil {
		t.Fatal(err)
	}
	o := annotate.Options{Proposer: annotate.Rules{}, Registry: registry, Scorer: s, ScorerName: "test"}
	for _, name := range names {
		k := annotate.KindOf(name)
		o.Tools = append(o.Tools, annotate.Tool{Name: name, Paper: k.Name, Settings: k.Settings})
	}
	return o
}

func ngramScorer(t testing.TB) model.Scorer {
	t.Helper()
	m, err := ngram.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// kept returns the calls of a folder that were kept.
func kept(t testing.TB, folder string) (out []annotate.Candidate) {
	t.Helper()
	err := annotate.Kept(folder, func(c annotate.Candidate) error { out = append(out, c); return nil })
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestFilterOfFalseCalculations measures the filter on texts of which half name a false result. A call is useful in the
// texts whose result is right, and only there. docs/toolformer.md has the figures.
func TestFilterOfFalseCalculations(t *testing.T) {
	texts, right := builtTexts(51)
	folder := t.TempDir()
	o := options(t, ngramScorer(t), "calc")
	o.Tools[0].TauF = 0 // every call whose gain is not negative is kept, so that all thresholds can be counted
	figures, err := annotate.Run(t.Context(), writeCorpus(t, texts), folder, o)
	if err != nil {
		t.Fatal(err)
	}
	calls := kept(t, folder)
	for _, tau := range []float64{0, 0.5, 1, 2} {
		hits, wrong := 0, 0
		for _, c := range calls {
			i, err := strconv.Atoi(c.Text)
			if err != nil || c.Tool != "calc" || *c.Gain != *c.Without-*c.With {
				t.Fatalf("%+v, %v", c, err)
			}
			// in front of another number than the result, a call is of no use
			if atResult := strings.HasPrefix(texts[i][c.Position:], " "+c.Result); *c.Gain >= tau {
				if right[i] && atResult {
					hits++
				} else {
					wrong++
				}
			}
		}
		t.Logf("tau %.1f: %d right calls and %d false calls are kept of 250 and 250; precision %.3f, recall %.3f", tau, hits,
			wrong, float64(hits)/float64(max(1, hits+wrong)), float64(hits)/250)
	}
	f := figures.Tools[0]
	if figures.Texts != 500 || f.Texts != 500 || f.Scored != f.Candidates || f.Kept != len(calls) || len(calls) > 500 {
		t.Errorf("%+v", figures)
	}
	t.Logf("%d candidates; reached %v at %v; dropped %v", f.Candidates, f.Reached, annotate.Thresholds, figures.Dropped)
	article := false
	for _, c := range calls {
		if c.Text == "1" {
			article = true
			t.Logf("the article's text: %s, gain %.2f", c.Output, *c.Gain)
		}
	}
	t.Logf("a call is kept in the article's text at tau 0: %v", article)
}
