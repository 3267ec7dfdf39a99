package inject

import (
	"regexp"
	"slices"
	"testing"
)

// TestPhrasesNameKnownClasses: a class that does not exist would be matched
// letter by letter and silently find nothing.
func TestPhrasesNameKnownClasses(t *testing.T) {
	unresolved := regexp.MustCompile(`\{[a-z]|<\d`)
	for _, f := range families() {
		for _, p := range slices.Concat(f.plain, f.squashed) {
			if found := unresolved.FindString(p.expression.String()); found != "" {
				t.Errorf("%s: unresolved %q in %s", f.name, found, p.expression)
			}
			if p.expression.MatchString("") {
				t.Errorf("%s: matches nothing at all: %s", f.name, p.expression)
			}
		}
	}
}

func TestNeedsHoldForEveryMatch(t *testing.T) {
	for _, test := range []struct {
		expression string
		text       string
		needs      [][]string
	}{
		{`abc`, "xabcx", [][]string{{"abc"}}},
		{`(?:one|two) b`, "two b", [][]string{{"one\x00b", "two\x00b"}}},
		{`a+(?:bc)?x`, "aax", [][]string{{"a"}}},
		{`(?:ab){0,2}cd`, "cd", [][]string{{"cd"}}},
		{`(?:ab){2}`, "abab", [][]string{{"ab"}}},
		{`(?:ab|[0-9])`, "7", nil},
		{`(?:word (?:long|x)|y)`, "y", [][]string{{"word\x00long", "word\x00x", "y"}}},
		{`(?:do[ ,]{1,4}not|don't|dont) x`, "do, not x", [][]string{{"do\x00not\x00x", "don\x00t\x00x", "dont\x00x"}}},
		{`\bif(?: \w+){0,3} not\b`, "if so not", [][]string{{"\x00not\x00"}, {"\x00if"}}},
		{`(?:do(?: \w+)? it|does)`, "do that it", [][]string{{"do", "does"}}},
		{`(?i)abc`, "ABC", nil},
		{`нет[,.]? da`, "нет. da", [][]string{{"нет\x00da"}}},
	} {
		p := newPattern(test.expression)
		got := p.needs
		for _, set := range got {
			if !slices.ContainsFunc(test.needs, func(want []string) bool { return slices.Equal(want, set) }) {
				t.Errorf("needs of %s = %q, want %q", test.expression, got, test.needs)
			}
		}
		if len(got) != len(test.needs) || p.expression.FindString(test.text) == "" {
			t.Errorf("needs of %s = %q and find(%q) = %q; want %q", test.expression, got, test.text, p.expression.FindString(test.text), test.needs)
		}
	}
}
