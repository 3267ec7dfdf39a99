package reports

import (
	"cmp"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/ablations/result"
)

// Titled returns a result in which titles replace the names of configurations, for reports that people read.
// Its rates are the headlines, see result.Headlines. If each of two runs has one configuration, the runs are
// named after their configurations too.
func Titled(r *result.Result) *result.Result {
	r = result.Headlines(r)
	out := *r
	titles := map[string]string{}
	out.Configurations = slices.Clone(r.Configurations)
	seen := map[string]bool{}
	for _, c := range r.Configurations {
		titles[c.Name] = cmp.Or(c.Title, c.Name)
		if seen[titles[c.Name]] { // possible in figures from another program
			return r
		}
		seen[titles[c.Name]] = true
	}
	for i := range out.Configurations {
		out.Configurations[i].Name = titles[r.Configurations[i].Name]
	}
	named := func(name string) string { return cmp.Or(titles[name], name) }
	out.Baseline = named(r.Baseline)
	out.Comparisons = slices.Clone(r.Comparisons)
	for i := range out.Comparisons {
		c := &out.Comparisons[i]
		c.Baseline, c.Configuration = named(c.Baseline), named(c.Configuration)
	}
	out.Runs = slices.Clone(r.Runs)
	prefixes := titles
	if len(r.Runs) == len(r.Configurations) {
		for i := range out.Runs {
			run, title := &out.Runs[i], out.Configurations[i].Name
			if !strings.HasPrefix(title, run.Label+": ") { // else the letter already distinguishes them
				prefixes[run.Label], run.Label = title, title
			}
		}
	}
	out.Warnings = slices.Clone(r.Warnings)
	for i, w := range out.Warnings {
		out.Warnings[i] = retitled(w, prefixes)
	}
	return &out
}

// retitled replaces the name of a configuration or run at the beginning of a warning with its title.
func retitled(warning string, titles map[string]string) string {
	longest := ""
	for name := range titles {
		if strings.HasPrefix(warning, name+": ") && len(name) > len(longest) {
			longest = name
		}
	}
	if longest == "" {
		return warning
	}
	return titles[longest] + strings.TrimPrefix(warning, longest)
}
