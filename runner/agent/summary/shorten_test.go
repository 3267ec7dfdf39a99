package summary

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestOrderByAgeAndWords: a word of the question counts as much as the whole span of ages, and the newer text wins a
// tie.
func TestOrderByAgeAndWords(t *testing.T) {
	for name, c := range map[string]struct {
		texts []string
		want  []int
	}{
		"no texts":             {nil, []int{}},
		"one text":             {[]string{"x"}, []int{0}},
		"no word fits":         {[]string{"a", "b", "c"}, []int{2, 1, 0}},
		"equal texts":          {[]string{"a river", "a river", "a river"}, []int{2, 1, 0}},
		"a middle one fits":    {[]string{"a", "the river", "c"}, []int{1, 2, 0}},
		"the oldest ties":      {[]string{"the river", "b", "c"}, []int{2, 0, 1}},
		"the newest fits also": {[]string{"the river", "b", "the river"}, []int{2, 0, 1}},
	} {
		if got := byAgeAndWords("How long is the river?", c.texts); !slices.Equal(got, c.want) {
			t.Errorf("%s: order %v, want %v", name, got, c.want)
		}
	}
}

// TestOrderHasEachTextOnce checks the order of any texts.
func TestOrderHasEachTextOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		texts := rapid.SliceOf(rapid.SampledFrom([]string{"", "river", "the river is long", "tea", "長い川"})).Draw(t, "texts")
		got := byAgeAndWords(rapid.SampledFrom([]string{"", "river?", "長い"}).Draw(t, "question"), texts)
		if slices.Sort(got); len(got) != len(texts) {
			t.Fatalf("%d places for %d texts", len(got), len(texts))
		}
		for i, at := range got {
			if i != at {
				t.Fatalf("text %d is missing or there twice: %v", i, got)
			}
		}
	})
}

// BenchmarkOrder orders the sentences of the calls of a trace: 8 calls are the default limit.
func BenchmarkOrder(b *testing.B) {
	for _, n := range []int{8, 50, 100} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			texts := make([]string, n)
			for i := range texts {
				texts[i] = fmt.Sprintf("The call succeeded and found that the river of place %d is %d km long, by a survey of the year %d [corpus_%d].", i, 100+i, 1900+i, i)
			}
			for b.Loop() {
				byAgeAndWords("How long is the river of place 7, and who measured it in the year 1907?", texts)
			}
		})
	}
}
