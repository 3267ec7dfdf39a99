package reports

import (
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/runner/store"
)

// versions are those of the rules and prompts that the figures rest on. Of two runs they
// are the first one's: where the other's differ, its rows say so.
func versions(r *result.Result) []line {
	some := func(of func(result.Configuration) bool) bool { return slices.ContainsFunc(r.Configurations, of) }
	var shown []line
	for _, v := range []struct {
		name, title string
		inForce     bool
	}{
		{"norm", "norm", true},
		{"prompt", "prompt", true},
		{"verifier", "verifier", some(func(c result.Configuration) bool { _, asked := c.Usage.Roles[store.VerifierRole]; return asked })},
		{"correctness", "correctness judge", some(func(c result.Configuration) bool { return c.Judge.CorrectnessModel != "" })},
		{"quality", "quality judge", some(func(c result.Configuration) bool { return c.Judge.QualityModel != "" })},
		{"prices", "prices of", some(func(c result.Configuration) bool { return c.Usage.USD != nil })},
	} {
		switch version := r.Versions[v.name]; {
		case version == "" || !v.inForce:
		case strings.HasPrefix(version, v.name+"/"): // says what it is of
			shown = append(shown, quoted(version))
		default:
			shown = append(shown, say(plain(v.title+" "), quoted(version)))
		}
	}
	if len(shown) == 0 {
		return nil
	}
	l := plain("versions: ")
	if len(r.Runs) > 0 {
		l = say(plain("versions of "), quoted(r.Runs[0].Label), plain(": "))
	}
	for i, v := range shown {
		if i > 0 {
			l = say(l, plain(", "))
		}
		l = say(l, v)
	}
	return []line{l}
}
