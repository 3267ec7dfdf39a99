package baseline

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/ablations/gate"
	"github.com/seed-5817661a/concur/internal/strictyaml"
)

// Reset makes the pool of a configuration start again: the change that it showed was meant.
// It refuses an unknown configuration, names in Keep that are no runs of it, and a reset
// without author or reason, and leaves the baseline as it was.
func (b *Baseline) Reset(r Reset) error {
	fail := func(format string, args ...any) error { return fmt.Errorf("reset the baseline: "+format, args...) }
	r = r.tidy()
	var names []string
	for _, run := range b.Runs {
		if run.Configuration == r.Configuration {
			names = append(names, run.Run)
		}
	}
	for _, name := range r.Keep {
		if !slices.Contains(names, name) {
			return fail("there is no run %q of configuration %s to keep: add it first (%s)", name, r.Configuration, strictyaml.Suggest(name, names))
		}
	}
	last, _ := b.lastReset(r.Configuration)
	switch {
	case len(names) == 0:
		return fail("it has no runs of a configuration %q: name one of %s", r.Configuration, gate.Listed(b.Configurations()))
	case strings.TrimSpace(r.Author) == "" || strings.TrimSpace(r.Reason) == "":
		return fail("a reset needs an author and a reason")
	case r.Time.Before(last.Time):
		return fail("there is a later one, of %s: it would change nothing", last.key())
	}
	b.Resets = append(b.Resets, r)
	b.sort()
	return nil
}

// Prune takes old runs out of the file, of each configuration all but the last ones that
// count, and the runs that its last reset keeps. What no longer counts goes too, with the
// resets before the last. It gives the names of the runs that went.
func (b *Baseline) Prune(keep int) (gone []string, err error) {
	if keep < 1 {
		return nil, fmt.Errorf("prune the baseline: %d runs to keep; keep at least 1", keep)
	}
	var runs []AcceptedRun
	var resets []Reset
	for _, name := range b.Configurations() {
		last, reset := b.lastReset(name)
		if reset {
			resets = append(resets, last)
		}
		counting := b.Counting(name)
		for i, r := range counting {
			if i >= len(counting)-keep || slices.Contains(last.Keep, r.Run) {
				runs = append(runs, r)
			}
		}
	}
	for _, r := range b.Runs {
		if !slices.ContainsFunc(runs, func(k AcceptedRun) bool { return k.row() == r.row() }) {
			gone = append(gone, r.Run)
		}
	}
	b.Runs, b.Resets = runs, resets
	b.sort()
	return gone, nil
}

// String is the sentence that every decision prints.
func (r Reset) String() string {
	kept := "keeping no run"
	if len(r.Keep) > 0 {
		kept = "keeping " + gate.Listed(r.Keep)
	}
	return fmt.Sprintf("the pool of %s was reset by %s on %s, %s: %s", r.Configuration, r.Author, r.Time.UTC().Format("2006-01-02 15:04"), kept, r.Reason)
}

// tidy gives equal resets one form.
func (r Reset) tidy() Reset {
	r.Time, r.Keep = r.Time.Round(0).UTC(), append([]string{}, merged(r.Keep)...)
	return r
}
