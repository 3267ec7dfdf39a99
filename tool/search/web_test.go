package search_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"

	"github.com/seed-5817661a/concur/internal/golden"
	"github.com/seed-5817661a/concur/internal/rank"
	"github.com/seed-5817661a/concur/tool/search"
)

// functionWords are very common words, whose frequency in the short texts of a corpus is too low.
const functionWords = `a about above after again against all also although always am among an and another any anyone anything
are aren't around as at away back be became because become been before being below between both but by came can cannot come could
did didn't do does doesn't doing don't done down during each either else ever every few for from further get gets give given go goes
going had has have having he her here hers herself him himself his how however i if in into is isn't it its itself just kind know
known last least less let like made make makes many may me might more most much must my myself name named neither never next no nor
not now of off often on once one only onto or other others our ours out over own per rather really s same say says see seem she
should since so some still such t take than that the their theirs them themselves then there these they thing this those though
through thus to together too took toward two under until up upon us use used very was wasn't way we well went were what when where
whether which while who whom whose why will with within without would yes yet you your yours`

// TestWeightsTable computes idf.tsv and compares it with the file; with -update it writes the file.
func TestWeightsTable(t *testing.T) {
	files, err := filepath.Glob("../../datasets/builtin/corpus/*.jsonl")
	if err != nil || len(files) == 0 {
		t.Fatalf("the built-in corpus: %v, %v", files, err)
	}
	documents, frequency := 0, map[string]int{}
	for _, f := range files {
		documents += countFile(t, f, frequency)
	}
	maps.DeleteFunc(frequency, func(_ string, n int) bool { return n < 2 }) // one occurrence is hardly more than none
	for _, w := range rank.Terms(functionWords) {
		frequency[w] = max(frequency[w], documents*9/10)
	}
	var table strings.Builder
	fmt.Fprintf(&table, "all documents\t%d\n", documents)
	for _, term := range slices.Sorted(maps.Keys(frequency)) {
		fmt.Fprintf(&table, "%s\t%d\n", term, frequency[term])
	}
	golden.Check(t, "idf.tsv", table.String())
}

func countFile(t *testing.T, path string, frequency map[string]int) int {
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	n := 0
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		var e struct{ Title, Text string }
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		n++
		terms := rank.Terms(e.Title + " " + e.Text)
		slices.Sort(terms)
		for _, term := range slices.Compact(terms) {
			frequency[term]++
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return n
}

func ExampleScore() {
	fmt.Println(search.Score("who discovered polonium", "Marie Curie", "She discovered polonium in 1898."))
	fmt.Println(search.Score("who discovered polonium", "Polonium", "An element."))
	fmt.Println(search.Score("量子计算", "量子计算机", ""))
	// Output:
	// 0.9893
	// 0.5899
	// 1
}

func TestWebWeights(t *testing.T) {
	idf := search.WebWeights().IDF
	if !(idf("the") > 0 && idf("the") < idf("river") && idf("river") < idf("zeppelin")) {
		t.Errorf("the %v, river %v, zeppelin %v: want them to rise", idf("the"), idf("river"), idf("zeppelin"))
	}
}

func TestScore(t *testing.T) {
	for _, c := range []struct {
		query, title, snippet string
		low, high             float64
	}{
		{"", "Nile", "river", 0, 0},
		{"…", "Nile", "river", 0, 0},
		{"What is the Nile?", "Nile", "", 0.8, 0.99},
		{"What is the Nile?", "", "What is the point?", 0, 0.2},
		{"東京の天気", "東京", "今日の天気", 0.4, 0.9},
		{"量子", "量子计算机", "", 0, 1},
		{"量子计算 2024", "", "2024年量子计算", 0.6, 1},
	} {
		if got := search.Score(c.query, c.title, c.snippet); got < c.low || got > c.high {
			t.Errorf("Score(%q, %q, %q) = %v, want %v to %v", c.query, c.title, c.snippet, got, c.low, c.high)
		}
	}
}

func TestScoreIsAShare(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		query, text := rapid.String().Draw(r, "query"), rapid.String().Draw(r, "text")
		s := search.Score(query, text, text)
		if !(s >= 0 && s <= 1) {
			r.Fatalf("score %v", s)
		}
		if len(rank.Terms(query)) > 0 && search.Score(query, query, text) != 1 {
			r.Fatalf("a title that is the query scores %v", search.Score(query, query, text))
		}
	})
}

// slowSnippet computes Snippet in a simple way.
func slowSnippet(w *rank.Weights, text string, query []string) string {
	if len(text) <= 1200 {
		return text
	}
	best, bestScore := "", -1.0
	sentences := search.SplitSentences(text)
	for i := range sentences {
		length, end := len(sentences[i]), i+1
		for end < len(sentences) && length+len(sentences[end]) <= 1200 {
			length += len(sentences[end])
			end++
		}
		window := strings.TrimSpace(strings.Join(sentences[i:end], ""))
		if score := w.Relevance(query, rank.Terms(window)); score > bestScore {
			best, bestScore = window, score
		}
		if end == len(sentences) {
			break
		}
	}
	return strings.ToValidUTF8(best[:min(len(best), 1200)], "")
}

func TestSnippetIsTheBestWindow(t *testing.T) {
	word := rapid.SampledFrom([]string{"nile", "the river", "Zeppelin's", "dawn", "é", "x", strings.Repeat("long ", 150), strings.Repeat("y", 1300), ". ", "? ", "!", "\n", " ", "ı̇.\n\n"})
	rapid.Check(t, func(r *rapid.T) {
		text := strings.Join(rapid.SliceOfN(word, 0, 200).Draw(r, "text"), " ")
		query := rank.Terms(strings.Join(rapid.SliceOfN(word, 0, 4).Draw(r, "query"), " "))
		w := search.WebWeights()
		if got, want := search.Snippet(w, text, query), slowSnippet(w, text, query); got != want {
			r.Fatalf("got %q\nwant %q", got, want)
		}
	})
}

func TestSnippetOfMillionsOfSentences(t *testing.T) {
	text := strings.Repeat(". ", 1<<19) + "the zeppelin landed"
	if got := search.Snippet(search.WebWeights(), text, rank.Terms("zeppelin")); !strings.Contains(got, "zeppelin landed") {
		t.Errorf("%d bytes without the sentence", len(got))
	}
}

func ExampleKeywords() {
	fmt.Println(search.Keywords("Who composed the opera of Mozart's that premiered in 1791?"))
	fmt.Println(search.Keywords("Who was it?"))
	// Output:
	// [premiered opera 1791 composed Mozart]
	// [Who was it]
}

func TestKeywordsAreTheWordsOfTheQuery(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		query := strings.NewReplacer("'", "", "’", "").Replace(rapid.String().Draw(r, "query"))
		words := search.Keywords(query)
		if strings.ContainsFunc(query, unicode.IsLetter) && len(words) == 0 {
			r.Fatal("a query with words has no keywords")
		}
		seen := map[string]bool{}
		for i, w := range words {
			if !strings.Contains(query, w) || seen[strings.ToLower(w)] || w == "" {
				r.Fatalf("%q of %q", w, words)
			}
			seen[strings.ToLower(w)] = true
			if i > 0 && weight(words[i-1]) < weight(w) {
				r.Fatalf("%q is rarer than what is before it in %q", w, words)
			}
		}
	})
}

func weight(word string) (idf float64) {
	for _, t := range rank.Terms(word) {
		idf = max(idf, search.WebWeights().IDF(t))
	}
	return idf
}
