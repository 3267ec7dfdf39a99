package endpoints

import (
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// A pattern means what the regular expression made of it means.
func TestMatches(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pattern := rapid.StringMatching(`[aB*./-]{0,6}`).Draw(t, "pattern")
		name := rapid.StringMatching(`[Ab./-]{0,10}`).Draw(t, "name")
		parts := strings.Split(pattern, "*")
		for i, p := range parts {
			parts[i] = regexp.QuoteMeta(p)
		}
		want := regexp.MustCompile(`(?i)^` + strings.Join(parts, ".*") + `$`).MatchString(name)
		if got := matches(pattern, name); got != want {
			t.Errorf("%q, %q: %v", pattern, name, got)
		}
	})
}
