package endpoints

import "testing"

func TestMatches(t *testing.T) {
	for _, c := range []struct {
		pattern, name string
		want          bool
	}{
		{"gpt-4o", "gpt-4o", true}, {"GPT-4o", "gpt-4O", true}, {"gpt-4o", "gpt-4o-mini", false},
		{"gpt-5*", "gpt-5", true}, {"gpt-5.*", "gpt-5.2", true}, {"gpt-5.*", "gpt-52", false},
		{"*-thinking*", "qwen3-thinking-2507", true}, {"a*a", "a", false}, {"*", "", true}, {"a*b*c", "a/b\nb/c", true},
	} {
		if got := matches(c.pattern, c.name); got != c.want {
			t.Errorf("%q, %q: %t", c.pattern, c.name, got)
		}
	}
}
