package inject

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestMatcherFindsWhatTheExpressionsFind: looking for literals first, and in parts of the
// text, loses no match.
func TestMatcherFindsWhatTheExpressionsFind(t *testing.T) {
	var pieces []string
	for _, lexicon := range []lexicon{overrideWords(), revealWords(), roleplayWords(), concealWords(), exfilWords(), judgeWords()} {
		for _, words := range lexicon.words {
			for _, word := range strings.Split(words, "|") {
				if !strings.ContainsAny(word, `()[]{}\?`) {
					pieces = append(pieces, word)
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
		for mode, reading := range map[mode]string{plain: norm, disguised: norm, squashed: squash(strings.Repeat("x", 300) + norm)} {
			m := matchers()[mode]
			got, _ := m.find(reading, func(int) bool { return false })
			want := map[int]bool{}
			for _, r := range m.rules {
				if r.expression.MatchString(reading) {
					want[r.family] = true
				}
			}
			for family := range families() {
				if (got[family] != "") != want[family] {
					t.Fatalf("%s in %q (mode %d): found %q, want %t", families()[family].name, reading, mode, got[family], want[family])
				}
			}
		}
	})
}

// TestHintsLoseNothing: a view that is passed over holds no phrase.
func TestHintsLoseNothing(t *testing.T) {
	word := rapid.SampledFrom(strings.Fields(`ignore disregard all previous your the instructions rules print reveal system prompt
		hidden what is forget do not follow repeat text above and house tree`))
	rapid.Check(t, func(t *rapid.T) {
		phrase := strings.Join(rapid.SliceOfN(word, 1, 8).Draw(t, "words"), " ")
		for h, disguise := range map[hint]func(string) string{hintRot13: rot13, hintReversed: reverse} {
			matches, _ := matchers()[disguised].find(phrase, func(int) bool { return false })
			s := newSource(disguise(phrase))
			_, s.seen = matchers()[plain].parts(matchers()[plain], s.norm)
			if len(matches) > 0 && !s.seen.covers(&matchers()[plain].hints[h]) {
				t.Fatalf("%q gives no hint of %q", s.norm, phrase)
			}
		}
	})
}

func TestTablesHaveRoom(t *testing.T) {
	var used signature
	for mode, m := range matchers() {
		if states := len(m.words.found); states >= maxStates {
			t.Errorf("mode %d: %d states, at most %d", mode, states, maxStates)
		}
		for _, r := range m.rules {
			if r.needs == (signature{}) {
				t.Errorf("mode %d: needs nothing, so runs on every text: %s", mode, r.expression)
			}
			used.merge(&r.needs)
		}
	}
	for h, hint := range matchers()[plain].hints {
		if hint == (signature{}) {
			t.Errorf("no room was left for hint %d", h)
		}
	}
}

// TestFoldingByPieces: the quick way to fold a text gives what folding it at once does.
func TestFoldingByPieces(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOf(rapid.OneOf(
			rapid.RuneFrom([]rune("aZ\n éßſıİΣЖ“…‑´¼﷽ｱ각각が한ड़́̈́ﬁＡ")), rapid.Rune())).Draw(t, "text")
		if got, want := foldLetters(text), foldSlowly(text); got != want {
			t.Fatalf("foldLetters(%+q) = %+q, want %+q", text, got, want)
		}
	})
}

func TestSqueeze(t *testing.T) {
	space := rapid.SampledFrom([]string{"a", "bc", "é", " ", "  ", "\n", "\t", "\u00a0", "\u3000", "\u2003", "\xff", "　"})
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOf(space).Draw(t, "text"), "")
		if got, want := squeeze(text), strings.Join(strings.Fields(text), " "); got != want {
			t.Fatalf("squeeze(%q) = %q, want %q", text, got, want)
		}
	})
}
