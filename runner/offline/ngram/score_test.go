package ngram_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/offline/ngram"
)

func score(t interface{ Fatal(...any) }, prefix, text string) []model.TokenScore {
	m, err := ngram.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	out, err := m.Score(context.Background(), model.ScoreRequest{Prefix: prefix, Text: text})
	if err != nil {
		t.Fatal(err)
	}
	return out.Tokens
}

func sum(tokens []model.TokenScore) (out float64) {
	for _, t := range tokens {
		out += t.LogProb
	}
	return out
}

// check tests that tokens join to a text behind a prefix.
func check(t interface{ Fatalf(string, ...any) }, prefix, text string, tokens []model.TokenScore) {
	if len(tokens) == 0 || tokens[0].Offset > 0 {
		t.Fatalf("%q behind %q: the first token does not begin at or before the text: %v", text, prefix, tokens)
	}
	at := tokens[0].Offset
	var joined strings.Builder
	for _, tok := range tokens {
		if tok.Offset != at || tok.Token == "" || math.IsNaN(tok.LogProb) || math.IsInf(tok.LogProb, 0) || tok.LogProb > 0 {
			t.Fatalf("%q behind %q: token %+v, expected at %d", text, prefix, tok, at)
		}
		at += len(tok.Token)
		joined.WriteString(tok.Token)
	}
	if want := prefix[len(prefix)+tokens[0].Offset:] + text; joined.String() != want || tokens[0].Offset+len(tokens[0].Token) <= 0 {
		t.Fatalf("the tokens join to %q, not to %q", joined.String(), want)
	}
}

// TestChainRule tests that the log-probability of a text is the sum over any division of it between words.
func TestChainRule(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		prefix := rapid.StringOfN(rapid.RuneFrom([]rune("ab 1.,é")), 0, 30, -1).Draw(t, "prefix")
		text := rapid.StringOfN(rapid.RuneFrom([]rune("ab 1.,\né日")), 1, 60, -1).Draw(t, "text")
		all := score(t, prefix, text)
		check(t, prefix, text, all)
		at := rapid.IntRange(0, len(all)-1).Draw(t, "at")
		if all[at].Offset <= 0 {
			return
		}
		cut := all[at].Offset
		first, second := score(t, prefix, text[:cut]), score(t, prefix+text[:cut], text[cut:])
		if len(second) != len(all)-at {
			return // the cut changed the words: white space at an end is another token
		}
		if got, want := sum(first)+sum(second), sum(all); math.Abs(got-want) > 1e-9 {
			t.Fatalf("in two parts %v, in one %v", got, want)
		}
	})
}

func FuzzScore(f *testing.F) {
	f.Add("The capital of Australia is", " Canberra.")
	f.Add("The capital of Australia is ", "Canberra.")
	f.Add("", "\x00\xff\xfe 日本 é")
	f.Add("a", strings.Repeat("z", 100))
	f.Add(strings.Repeat(" ", 50), strings.Repeat("\n", 50)+" x")
	f.Add("é"[:1], "é"[1:])
	f.Fuzz(func(t *testing.T, prefix, text string) {
		if text == "" {
			return
		}
		check(t, prefix, text, score(t, prefix, text))
	})
}

func TestFirstTokenBeginsInPrefix(t *testing.T) {
	tokens := score(t, "The Danube flows through ", "Vienna.")
	if tokens[0].Token != " Vienna" || tokens[0].Offset != -1 {
		t.Errorf("%+v", tokens[0])
	}
}

func TestPrefixMakesItsWordsLikelier(t *testing.T) {
	for _, c := range []struct{ without, with, text string }{
		{"Where is the Zugspitze?", "Where is the Zugspitze? It is in Bavaria.", " Bavaria"},
		{"7823 * 4991 =", "Calculator: 39,044,593. 7823 * 4991 =", " 39,044,593"},
		{"Wer war es?", "Wer war es? Es war Xanthippe Müller.", " Xanthippe Müller"},
	} {
		if without, with := sum(score(t, c.without, c.text)), sum(score(t, c.with, c.text)); with-without < 0.5 {
			t.Errorf("%q: %v without the sentence, %v with it", c.text, without, with)
		}
	}
}

func TestSameScoresAgain(t *testing.T) {
	text := " The Danube flows through Vienna, 日本 and 1,234 zyzzyvas."
	if a, b := score(t, "Rivers:", text), score(t, "Rivers:", text); !slices.Equal(a, b) {
		t.Error("the same request has other scores")
	}
}

// TestWindow tests that only the last words count, whether they are in the prefix or in the text, and that long texts
// are scored as a whole.
func TestWindow(t *testing.T) {
	words := strings.Repeat("The river is long and the Alps are high; ", 2000) + strings.Repeat(" a b", ngram.Window/2)
	want := score(t, words, " Danube")
	if got := score(t, strings.Repeat("Other words. ", 10000)+words, " Danube"); !slices.Equal(got, want) {
		t.Errorf("%v with other words before the window, %v without", got, want)
	}
	if all := score(t, "", words+" Danube"); all[len(all)-1].LogProb != want[0].LogProb {
		t.Errorf("%v as a part of the text, %v behind it as a prefix", all[len(all)-1], want)
	}
	if got := score(t, words+" Danube", " Danube"); slices.Equal(got, want) {
		t.Error("a word in the window changes nothing")
	}
	long := strings.Repeat("The Nile is longer than the Danube. ", 10000)
	check(t, "", long, score(t, "", long))
}

func Example() {
	m, err := ngram.Builtin()
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, prefix := range []string{"The answer is", "The search found Canberra. The answer is"} {
		out, err := m.Score(context.Background(), model.ScoreRequest{Prefix: prefix, Text: " Canberra."})
		if err != nil {
			fmt.Println(err)
			return
		}
		for i, t := range out.Tokens {
			fmt.Printf("%s%q %d %.2f", strings.Repeat("  ", min(i, 1)), t.Token, t.Offset, t.LogProb)
		}
		fmt.Println()
	}
	// Output:
	// " Canberra" 0 -10.57  "." 9 -3.18
	// " Canberra" 0 -6.52  "." 9 -2.98
}

func BenchmarkScore(b *testing.B) {
	text := strings.Repeat("The Danube rises in the Black Forest and reaches the Black Sea after 2,850 kilometres. ", 100)
	tokens := 0
	for b.Loop() {
		tokens += len(score(b, "", text))
	}
	b.ReportMetric(float64(tokens)/b.Elapsed().Seconds(), "tokens/s")
}

func BenchmarkScoreAnswer(b *testing.B) {
	prefix := strings.Repeat("The Danube rises in the Black Forest and reaches the Black Sea after 2,850 kilometres. ", 60)
	for b.Loop() {
		score(b, prefix, " 2,850 kilometres.")
	}
}

func BenchmarkTrain(b *testing.B) {
	c, err := datasets.OpenCorpus(datasets.OfflineCorpus)
	if err != nil {
		b.Fatal(err)
	}
	var texts []string
	for _, d := range c.Documents {
		texts = append(texts, d.Title+"\n"+d.Text)
	}
	b.ReportAllocs()
	for b.Loop() {
		ngram.Train(texts)
	}
}
