package baseline

import (
	"fmt"
	"slices"

	"github.com/seed-5817661a/concur/internal/strictyaml"
)

// Reset makes the pool of a configuration start again: the change that it showed was meant.
// It refuses an unknown configuration, names in Keep that are no runs of it, and a reset
// without author or reason, and leaves the baseline as it was.
func (b *Baseline) Reset(r Reset) error {
	fail := func(err error) error { return fmt.Errorf("reset the baseline: %w", err) }
	if err := (resetLine{kindReset, r}).check(); err != nil {
		return fail(err)
	}
	if !slices.Contains(b.Configurations(), r.Configuration) {
		return fail(fmt.Errorf("it has no runs of a configuration %q: name one of %s", r.Configuration, listed(b.Configurations())))
	}
	r = r.tidy()
	var names []string
	for _, run := range b.Runs {
		if run.Configuration == r.Configuration {
			names = append(names, run.Run)
		}
	}
	for _, name := range r.Keep {
		if !slices.Contains(names, name) {
			return fail(fmt.Errorf("there is no run %q of configuration %s to keep: add it first (%s)", name, r.Configuration, strictyaml.Suggest(name, names)))
		}
	}
	if last, ok := b.lastReset(r.Configuration); ok && r.Time.Before(last.Time) {
		return fail(fmt.Errorf("there is a later one, of %s: it would change nothing", last.key()))
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
		if !slices.ContainsFunc(runs, func(k AcceptedRun) bool { return k.Run == r.Run && k.Configuration == r.Configuration }) {
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
		kept = "keeping " + listed(r.Keep)
	}
	return oneLine(fmt.Sprintf("the pool of %s was reset by %s on %s, %s: %s", r.Configuration, r.Author, r.Time.UTC().Format("2006-01-02 15:04"), kept, r.Reason))
}

// tidy gives equal resets one form.
func (r Reset) tidy() Reset {
	r.Time, r.Keep = r.Time.Round(0).UTC(), append([]string{}, r.Keep...)
	slices.Sort(r.Keep)
	r.Keep = slices.Compact(r.Keep)
	return r
}
