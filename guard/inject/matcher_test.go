package inject

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestMatcherFindsWhatTheExpressionsFind checks that no match is lost by first searching for literals, in
// parts of the text.
func TestMatcherFindsWhatTheExpressionsFind(t *testing.T) {
	var pieces []string
	for _, f := range families() {
		for _, classes := range append([]map[string]line{f.Words}, f.Lexicons[0].Words) {
			for _, name := range slices.Sorted(maps.Keys(classes)) {
				for _, word := range strings.Split(classes[name].text, "|") {
					if !strings.ContainsAny(word, `()[]{}\?`) {
						pieces = append(pieces, word)
					}
				}
			}
		}
	}
	pieces = append(pieces, "system:", "### system:", "[inst]", "<|end|>", "new instructions:", "{\"name\":\"x\",", "\"arguments\": {",
		"<tool_call>", "忽略", "之前", "指令", "é", "who", "you are", "do not", "don't", "dan", "from now on", "https", "b@c", "a/b")
	word, gap := rapid.SampledFrom(pieces), rapid.SampledFrom([]string{" ", " ", " ", ", ", ". ", "! ", "", "<", "'", "é"})
	rapid.Check(t, func(t *rapid.T) {
		var text strings.Builder
		for range rapid.IntRange(1, 14).Draw(t, "words") {
			text.WriteString(word.Draw(t, "word") + gap.Draw(t, "gap"))
		}
		norm := fold(text.String())
		for mode, text := range map[mode]string{plain: norm, disguised: norm, squashed: squash(strings.Repeat("x", 300) + norm)} {
			m, r := matchers()[mode], reading{words: text, lines: text}
			x := m.dictionary.index(r.words, sentences(r.words))
			for family, f := range families() {
				got, want := m.find(family, &r, &x), false
				for _, rule := range m.rules[family] {
					want = want || slices.ContainsFunc(r.whole(rule), func(stretch string) bool { return rule.find(stretch) != "" })
				}
				if (got != "") != want {
					t.Fatalf("%s in %q (mode %d): found %q, want %t", f.Name, text, mode, got, want)
				}
			}
		}
	})
}

// whole returns the texts in which a rule is searched. For a rule on sentences this is the whole text,
// because a match never contains the border of a sentence. But beside and unless apply to the sentence of a
// match.
func (r *reading) whole(of rule) (stretches []string) {
	switch {
	case of.where != inSentence:
		return r.in(of.where)
	case of.beside == nil && of.unless == nil:
		return r.in(inText)
	}
	for _, s := range sentences(r.words) {
		stretches = append(stretches, r.words[s.start:s.end])
	}
	return stretches
}

func TestEveryPatternNeedsSomething(t *testing.T) {
	for mode, m := range matchers() {
		for _, r := range slices.Concat(m.rules...) {
			if len(r.needs) == 0 && (r.where == inSentence || r.where == inText) {
				t.Errorf("mode %d: needs nothing, so runs on every text: %s", mode, r.expression())
			}
		}
	}
}
