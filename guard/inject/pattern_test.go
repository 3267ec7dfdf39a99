package inject

import (
	"slices"
	"testing"
)

func TestNeedsHoldForEveryMatch(t *testing.T) {
	for _, test := range []struct {
		expression string
		text       string
		needs      [][]string
	}{
		{`abc`, "xabcx", [][]string{{"abc"}}},
		{`(?:one|two) b`, "two b", [][]string{{"one", "two"}, {" b"}}},
		{`a+(?:bc)?x`, "aax", [][]string{{"a"}}},
		{`(?:ab){0,2}cd`, "cd", [][]string{{"cd"}}},
		{`(?:ab){2}`, "abab", [][]string{{"ab"}}},
		{`(?:ab|[0-9])`, "7", nil},
		{`(?:word (?:long|x)|y)`, "y", [][]string{{"word ", "y"}}},
		{`(?:do[ ,]{1,4}not|don't|dont) x`, "do, not x", [][]string{{"don't", "dont", "not"}, {" x"}}},
		{`\bif(?: \w+){0,3} not\b`, "if so not", [][]string{{" not"}, {"if"}}},
		{`(?:do(?: \w+)? it|does)`, "do that it", [][]string{{" it", "does"}}},
		{`(?:bans|boundary)`, "bans", [][]string{{"bans", "boundary"}}},
		{`[|]a\|b`, "|a|b", [][]string{{"|a|b"}}},
		{`(?i)abc`, "ABC", nil},
		{`忽略[,.]? da`, "忽略. da", [][]string{{"忽略"}, {" da"}}},
	} {
		p, err := newGrammar(bySpaces).pattern(line{text: test.expression})
		if err != nil {
			t.Fatal(err)
		}
		got := p.needs
		for _, set := range got {
			if !slices.ContainsFunc(test.needs, func(want []string) bool { return slices.Equal(want, set) }) {
				t.Errorf("needs of %s = %q, want %q", test.expression, got, test.needs)
			}
		}
		if len(got) != len(test.needs) || p.expression().FindString(test.text) == "" {
			t.Errorf("needs of %s = %q and find(%q) = %q; want %q", test.expression, got, test.text, p.expression().FindString(test.text), test.needs)
		}
	}
}
