package answer_test

import (
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/datasets/answer"
	"pgregory.net/rapid"
)

func TestWhatSurroundsAnAnswer(t *testing.T) {
	for _, c := range []struct {
		typ       answer.Type
		raw, want string
	}{
		{answer.Text, ") ]", "text:) ]"},
		{answer.Text, "> ) ) } } ] }", "text:> ) ) } } ] }"},
		{answer.Text, "(", "text:("},
		{answer.Text, "…", "text:..."},
		{answer.Text, "_x", "text:_x"},
		{answer.Text, "__x__", "text:__x__"},
		{answer.Text, "(0,1)", "text:(0,1)"},
		{answer.Text, "(a) and (b)", "text:(a) and (b)"},
		{answer.Text, "*a* and *b*", "text:*a* and *b*"},
		{answer.Text, `"a" and "b"`, `text:"a" and "b"`},
		{answer.Text, `"open`, `text:"open`},
		{answer.Text, "'Tom's'", "text:tom's"},
		{answer.Text, "(*'`**x**`'*).", "text:x"},
		{answer.Text, "Red.!?", "text:red"},
		{answer.Text, "نعم؟", "text:نعم"},
		{answer.Text, "東京。", "text:東京"},
		{answer.Text, "'..Rangers'", "text:rangers"},
		{answer.Text, `\(x\)`, "text:x"},
		{answer.Text, "$x$ and $y$", "text:$x$ and $y$"},
		{answer.Entity, ".NET", "entity:.net"},
		{answer.Entity, "#5", "entity:#5"},
		{answer.Entity, "*Thing", "entity:*thing"},
		{answer.Entity, "**.NET**.", "entity:.net"},
		{answer.Integer, "42.", "int:42"},
		{answer.Integer, "5!", "error"},
		{answer.Integer, "(3)!", "error"},
		{answer.Integer, "5 km!", "int:5"},
		{answer.Integer, "**5**!", "int:5"},
		{answer.Date, "(July 20, 1969)", "date:1969-07-20"},
	} {
		if got := key(c.raw, c.typ); got != c.want {
			t.Errorf("%s %q: %s, want %s", c.typ, c.raw, got, c.want)
		}
	}
	for _, pair := range [][2]string{{"> ) ) } } ] }", "} ] >"}, {".NET", "NET"}, {"(0,1)", "[0,1]"}, {"_x", "x"}, {"-x", "x"}} {
		if a, b := key(pair[0], answer.Text), key(pair[1], answer.Text); a == b {
			t.Errorf("%q and %q share the key %s", pair[0], pair[1], a)
		}
	}
}

// TestNothingSaidIsStripped: stripping leaves every letter and digit.
func TestNothingSaidIsStripped(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		raw := rapid.StringOf(rapid.SampledFrom([]rune("ab7()[]{}<>.,;:!?\"'*_`$#-\\ \n。«»"))).Draw(t, "raw")
		got := key(raw, answer.Text)
		if strings.TrimSpace(raw) == "" {
			return
		}
		spoken := func(s string) string {
			return strings.Map(func(r rune) rune {
				if strings.ContainsRune("ab7", r) {
					return r
				}
				return -1
			}, s)
		}
		if body := strings.TrimPrefix(got, "text:"); body == "" || spoken(body) != spoken(raw) {
			t.Fatalf("%q gives %q", raw, got)
		}
	})
}
