package prefilter

import (
	"fmt"
	"regexp"
	"regexp/syntax"
	"testing"

	"pgregory.net/rapid"
)

func TestNeeds(t *testing.T) {
	for _, c := range []struct{ pattern, want string }{
		{`how to (?:make|build) a \w+ bomb`, "[[how to ] [build make] [ a ] [ bomb]]"},
		{`(?:a cat|dogs)+`, "[[a cat dogs]]"},
		{`(?:abc){2,3}(?:def)?x*`, "[[abc]]"},
		{`abc|\d`, "[]"},
		{`(?i)abc`, "[]"},
		{`(?P<verb>see) it`, "[[see] [ it]]"},
	} {
		tree, err := syntax.Parse(c.pattern, syntax.Perl)
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(Needs(tree, nil)); got != c.want {
			t.Errorf("%s: %s, want %s", c.pattern, got, c.want)
		}
	}
}

// TestSameAsRegexp compares with package regexp on texts that are like the patterns.
func TestSameAsRegexp(t *testing.T) {
	words := rapid.SampledFrom([]string{"ab", "abc", "b", "cab", " ", "1", "ac"})
	part := rapid.Custom(func(t *rapid.T) string {
		form := rapid.SampledFrom([]string{
			"%s%s", "(?:%s|%s)", "(?:%s)?%s", "(%s)+%s", `\b%s.{0,2}?%s`, "(?:%s){2}%s", "(?i)%s%s",
		})
		return fmt.Sprintf(form.Draw(t, "form"), words.Draw(t, "a"), words.Draw(t, "b"))
	})
	rapid.Check(t, func(t *rapid.T) {
		pattern := part.Draw(t, "first") + part.Draw(t, "second")
		text := fmt.Sprint(rapid.SliceOfN(words, 0, 12).Draw(t, "text"))
		r, same := Compile(pattern), regexp.MustCompile(pattern)
		if r.MatchString(text) != same.MatchString(text) ||
			r.ReplaceAllString(text, "<$0>") != same.ReplaceAllString(text, "<$0>") {
			t.Errorf("%s differs from package regexp on %q", pattern, text)
		}
	})
}
