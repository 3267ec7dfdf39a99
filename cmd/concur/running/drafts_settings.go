package running

import (
	"cmp"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/seed-5817661a/concur/cmd/concur/console"
	"github.com/seed-5817661a/concur/cmd/concur/flags"
	"github.com/seed-5817661a/concur/runner/assemble"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/store"
)

// runSettings returns the configuration of a run, overridden by the file of --config and by flags.
func runSettings(c *console.Console, given *flags.TracesOptions, m store.Manifest) (config.Configuration, error) {
	asked := m.Configurations[0].Configuration
	if given.File != "" {
		for _, spec := range []*string{&asked.Judge.Correctness, &asked.Judge.Quality} {
			*spec = cmp.Or(*spec, config.NoModel) // keep the run's lack of a model and apply no default
		}
		f, err := given.FromFile(asked)
		if err != nil {
			return asked, err
		}
		asked = f.Configuration.Completed()
		if file := &asked.Agent.Playbook.File; *file != "" {
			if *file, err = filepath.Abs(*file); err != nil {
				return asked, err
			}
		}
	}
	given.Override(&asked)
	for _, name := range given.Without {
		if less, err := asked.Without(name); err == nil { // otherwise the run never had the part
			asked = less
		}
	}
	return assemble.WithCorpus(asked, m.Dataset.Source)
}

// blame returns a sentence about flags and variables that may make a valid spec invalid, because they override
// its base: -k 1 makes the row k=1 equal to the baseline.
func blame(keys []flags.Setting) string {
	var given []string
	for _, key := range keys {
		given = append(given, fmt.Sprintf("--%s (or %s)", key.Flag, key.Variable))
	}
	if len(given) == 0 {
		return ""
	}
	return fmt.Sprintf("\nif the spec itself is valid, the cause is %s, which overrides the base of every row: leave "+
		"it out, or change the rows", strings.Join(given, ", "))
}
