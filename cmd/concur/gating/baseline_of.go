package gating

import (
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/ablations/baseline"
	"github.com/seed-5817661a/concur/cmd/concur/console"
)

// configurationOf returns the named configuration of a baseline. If the baseline has only one, no name is
// needed.
func configurationOf(file, name string, b *baseline.Baseline) (string, error) {
	known := b.Configurations()
	switch {
	case len(known) == 0:
		return "", console.Usagef("the baseline %s has no runs; accept some with `concur baseline add RUN`", file)
	case name == "" && len(known) == 1:
		return known[0], nil
	case !slices.Contains(known, name):
		return "", console.Usagef("the baseline %s has runs of %s, and not of %q: name one with --configuration", file,
			strings.Join(known, ", "), name)
	}
	return name, nil
}
