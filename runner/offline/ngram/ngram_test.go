package ngram

import (
	stdcontext "context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/seed-5817661a/concur/model"
)

func builtin(t testing.TB) *Model {
	t.Helper()
	m, err := Builtin()
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// words are drawn for prefixes: known ones, unknown ones, numbers, bytes that are no text.
var words = []string{" the", " river", "The", " Danube", " zyzzyva", " 39", ",", "044", "\n", " ", "\xff", "é", "日", " of", "."}

func drawText(t *rapid.T, name string, most int) string {
	return strings.Join(rapid.SliceOfN(rapid.SampledFrom(words), 0, most).Draw(t, name), "")
}

// readAll returns the reading of a prefix.
func readAll(m *Model, prefix string) *reading {
	r := &reading{m, newCache(), context{begin, begin}}
	for prefix != "" {
		n := firstToken(prefix)
		w, _ := r.read(prefix[:n])
		r.add(w)
		prefix = prefix[n:]
	}
	return r
}

// TestSumsToOne adds the probabilities of all words of the vocabulary and of the cache behind a prefix. What is left
// must be the mass of all other strings, which only the model of bytes knows.
func TestSumsToOne(t *testing.T) {
	m := builtin(t)
	rapid.Check(t, func(t *rapid.T) {
		r := readAll(m, drawText(t, "prefix", 12))
		named, spelled := 0.0, 0.0
		add := func(token string) {
			_, p := r.probability(token)
			if p <= 0 || p > 1 {
				t.Fatalf("%q has the probability %v", token, p)
			}
			named += p
			spelled += m.spelling.word(token)
		}
		for token := range m.ids {
			add(token)
		}
		inCache := []string{}
		for token := range r.cache.ids {
			inCache = append(inCache, token)
		}
		for _, token := range inCache {
			add(token)
		}
		// Every other string has the same part of its probability by bytes.
		escape := -1.0
		for _, token := range []string{" qqq", "0000", "\xfe\xfd", " Xylem"} {
			if _, known := m.ids[token]; known {
				t.Fatalf("%q is a known word", token)
			}
			fresh := *r.cache
			fresh.ids = map[string]word{}
			for _, known := range inCache {
				fresh.ids[known] = r.cache.ids[known]
			}
			other := reading{m, &fresh, r.context}
			_, p := other.probability(token)
			part := p / m.spelling.word(token)
			if escape >= 0 && math.Abs(part-escape) > 1e-12 {
				t.Fatalf("%q escapes with %v, other strings with %v", token, part, escape)
			}
			escape = part
		}
		if sum := named + escape*(1-spelled); math.Abs(sum-1) > 1e-9 {
			t.Fatalf("the probabilities sum to %.12f: words %v, other strings %v", sum, named, escape*(1-spelled))
		}
		if escape <= 0 || escape >= 1 {
			t.Fatalf("other strings have the part %v", escape)
		}
	})
}

// TestBytesSumToOne tests that the probabilities of what can follow a context sum to 1, and the same of the
// probabilities of whole strings: those of up to two bytes and those that go on.
func TestBytesSumToOne(t *testing.T) {
	m := builtin(t)
	sumNext := func(h history) (sum float64) {
		for s := range symbol(symbols) {
			sum += m.spelling.next(h, s)
		}
		return sum
	}
	rapid.Check(t, func(t *rapid.T) {
		h := start()
		for _, b := range []byte(drawText(t, "bytes", 4)) {
			h = h.and(symbol(b))
		}
		if sum := sumNext(h); math.Abs(sum-1) > 1e-12 {
			t.Fatalf("the bytes sum to %v", sum)
		}
	})
	ended, open := 0.0, 0.0
	var visit func(h history, p float64, depth int)
	visit = func(h history, p float64, depth int) {
		ended += p * m.spelling.next(h, endMark)
		for b := range symbol(256) {
			if next := p * m.spelling.next(h, b); depth == 2 {
				open += next
			} else {
				visit(h.and(b), next, depth+1)
			}
		}
	}
	visit(start(), 1, 0)
	if math.Abs(ended+open-1) > 1e-9 || ended <= 0 {
		t.Errorf("strings of up to two bytes have %v, all others %v", ended, open)
	}
}

// naive computes a probability from the definitions, by counting in lists of tokens.
type naive struct {
	grams [order][][]string // the types or occurrences of each length
	m     *Model
}

func newNaive(texts []string) *naive {
	n := &naive{m: Train(texts)}
	for _, text := range texts {
		tokens := []string{"<s>", "<s>"}
		for text != "" {
			end := firstToken(text)
			tokens, text = append(tokens, text[:end]), text[end:]
		}
		for i := 2; i < len(tokens); i++ {
			n.grams[2] = append(n.grams[2], tokens[i-2:i+1])
		}
	}
	for k := 1; k >= 0; k-- {
		seen := map[string]bool{}
		for _, g := range n.grams[k+1] {
			if key := strings.Join(g, "|"); !seen[key] {
				seen[key] = true
				n.grams[k] = append(n.grams[k], g[1:])
			}
		}
	}
	return n
}

func (n *naive) probability(context []string, w string) float64 {
	k := len(context)
	lower := 0.0
	if k == 0 {
		lower = n.m.spelling.word(w)
	} else {
		lower = n.probability(context[1:], w)
	}
	counts, all := map[string]float64{}, map[string]float64{}
	total := 0.0
	for _, g := range n.grams[k] {
		all[strings.Join(g, "|")]++
		if slices.Equal(g[:k], context) {
			counts[g[k]]++
			total++
		}
	}
	if total == 0 {
		return lower
	}
	n1, n2 := 0.0, 0.0
	for _, c := range all {
		if c == 1 {
			n1++
		} else if c == 2 {
			n2++
		}
	}
	d := 0.75
	if n1 > 0 && n2 > 0 {
		d = n1 / (n1 + 2*n2)
	}
	return max(counts[w]-d, 0)/total + d*float64(len(counts))/total*lower
}

func TestAgainstDefinition(t *testing.T) {
	some := rapid.SliceOfN(rapid.SampledFrom([]string{" a", " b", " c", "."}), 1, 12)
	rapid.Check(t, func(t *rapid.T) {
		var texts []string
		for _, tokens := range rapid.SliceOfN(some, 1, 5).Draw(t, "texts") {
			texts = append(texts, strings.Join(tokens, ""))
		}
		n := newNaive(texts)
		text := strings.Join(append(some.Draw(t, "scored"), " d"), "")
		r := reading{n.m, newCache(), context{begin, begin}}
		before := []string{"<s>", "<s>"}
		for text != "" {
			end := firstToken(text)
			w, spelled := r.read(text[:end])
			if spelled < 0 {
				spelled = n.m.spelling.word(text[:end])
			}
			got, want := n.m.probability(r.context, w, spelled), n.probability(before, text[:end])
			if math.Abs(got-want) > 1e-12 {
				t.Fatalf("p(%q | %q) = %v by the model, %v by the definition", text[:end], before, got, want)
			}
			r.context = r.context.and(w)
			before, text = []string{before[1], text[:end]}, text[end:]
		}
	})
}

// TestHandComputed has one step of the formula in numbers. The texts are "a b", "a b" and "a c". Behind a, b was seen
// twice and c once: the discount of triples is 1/(1+2·1) = 1/3 for the one single (c) and the two doubles.
func TestHandComputed(t *testing.T) {
	m := Train([]string{"a b", "a b", "a c"})
	// triples: (s s a) 3, (s a b) 2, (s a c) 1: n1 = 1, n2 = 1, D = 1/3
	// pairs: (s a) 1, (a b) 1, (a c) 1, each after one word: n2 = 0, so D = 0.75
	// words: a after s; b after a; c after a: D = 0.75, 3 types of 3
	a, b := m.ids["a"], m.ids[" b"]
	bytes := m.spelled[b]
	word := (1-.75)/3 + .75*3/3*bytes
	pair := (1-.75)/2 + .75*2/2*word
	want := (2-1./3)/3 + 1./3*2/3*pair
	if got := m.probability(context{begin, a}, b, bytes); math.Abs(got-want) > 1e-15 {
		t.Errorf("p(b | s a) = %v, by hand %v", got, want)
	}
}

func TestUntrained(t *testing.T) {
	out, err := Train(nil).Score(t.Context(), model.ScoreRequest{Text: "a"})
	want := -2 * math.Log(257) // one byte and the end
	if err != nil || len(out.Tokens) != 1 || math.Abs(out.Tokens[0].LogProb-want) > 1e-12 {
		t.Errorf("%v %v, want %v", out, err, want)
	}
}

func TestScoreErrors(t *testing.T) {
	m := Train(nil)
	if _, err := m.Score(t.Context(), model.ScoreRequest{Prefix: "a"}); model.KindOf(err) != model.ErrBadRequest {
		t.Errorf("an empty text: %v", err)
	}
	ctx, cancel := stdcontext.WithCancel(t.Context())
	cancel()
	_, err := m.Score(ctx, model.ScoreRequest{Text: "a"})
	if !errors.Is(err, stdcontext.Canceled) || model.KindOf(err) != model.ErrCancelled {
		t.Errorf("a cancelled request: %v", err)
	}
}
