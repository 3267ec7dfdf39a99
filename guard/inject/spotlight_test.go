package inject_test

import (
	"slices"
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"

	"github.com/seed-5817661a/concur/guard/inject"
)

// nonceOf reads the nonce from the fence around an empty text.
func nonceOf(t *rapid.T, s inject.Spotlight) string {
	nonce, ok := strings.CutPrefix(strings.SplitN(s.Mark(""), ">>", 2)[0], "<<data ")
	if !ok || len(nonce) < 12 {
		t.Fatalf("no nonce in %q", s.Mark(""))
	}
	return nonce
}

func TestDelimiterCannotBeClosedFromInside(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := inject.NewSpotlight(inject.Delimiter, rapid.Int64().Draw(t, "seed"))
		nonce := nonceOf(t, s)
		pieces := rapid.SampledFrom([]string{
			nonce, nonce[:len(nonce)/2], nonce[len(nonce)/2:], "-", "\n<<end " + nonce + ">>", "<<data ", "text", " ", "\n",
		})
		text := strings.Join(rapid.SliceOfN(pieces, 0, 12).Draw(t, "pieces"), "")
		marked := s.Mark(text)
		if !strings.Contains(marked, "\n"+strings.ReplaceAll(text, nonce, nonce[:6]+"-"+nonce[6:])+"\n") {
			t.Fatalf("the text is not whole: %q", marked)
		}
		if n := strings.Count(marked, nonce); n != 2 {
			t.Fatalf("the nonce stands %d times in %q", n, marked)
		}
	})
}

func TestDatamarkLeavesNoSpaceFree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := inject.NewSpotlight(inject.Datamark, rapid.Int64().Draw(t, "seed"))
		text := rapid.StringOf(rapid.RuneFrom([]rune(" \n\tab東\u00a0é{}\":"), unicode.Latin)).Draw(t, "text")
		marked := s.Mark(text)
		if strings.Contains(marked, " ") {
			t.Fatalf("a free space in %q", marked)
		}
		if words := strings.Fields(strings.Map(func(r rune) rune {
			if r >= 0xE000 && r <= 0xE0FF {
				return ' '
			}
			return r
		}, marked)); !slices.Equal(words, strings.Fields(text)) {
			t.Fatalf("the words of %q are those of %q no more", marked, text)
		}
	})
}

func TestSpotlightIsAFunctionOfItsSeed(t *testing.T) {
	for _, mode := range []inject.SpotlightMode{inject.Delimiter, inject.Datamark} {
		one, again, other := inject.NewSpotlight(mode, 7), inject.NewSpotlight(mode, 7), inject.NewSpotlight(mode, 8)
		if one != again || one == other {
			t.Errorf("%s: seeds 7, 7, 8 give %v, %v, %v", mode, one, again, other)
		}
		if one.Instruction() == "" || one.Instruction() != other.Instruction() || one.Mark("x y") == other.Mark("x y") {
			t.Errorf("%s: the instruction depends on the seed, or the mark does not: %q", mode, one.Instruction())
		}
	}
}

func TestSpotlightOfNoMode(t *testing.T) {
	for _, s := range []inject.Spotlight{{}, inject.NewSpotlight("unknown", 1)} {
		if s.Mark("a b") != "a b" || s.Instruction() != "" {
			t.Errorf("%v marks: %q, %q", s, s.Mark("a b"), s.Instruction())
		}
	}
}

func TestDatamarkReplacesItsOwnMarker(t *testing.T) {
	s := inject.NewSpotlight(inject.Datamark, 1)
	marker := s.Mark(" ")
	if got := s.Mark("a" + marker + "b"); got != "a\uFFFDb" {
		t.Errorf("a marker in the data gives %q", got)
	}
}
