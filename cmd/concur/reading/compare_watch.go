package reading

import (
	"context"
	"os"
	"path/filepath"

	"github.com/seed-5817661a/concur/cmd/concur/console"
	"github.com/seed-5817661a/concur/internal/filewatch"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/store/runlist"
)

// watchCompare compares two runs. It compares again each time that one of the two names means another finished
// run.
func watchCompare(ctx context.Context, c *console.Console, given *compareOptions, o *console.Output) error {
	if given.series {
		return console.Usagef("--watch has no effect with --series: leave one of them out")
	}
	signals := c.Listen()
	defer signals.Stop()
	signals.Began.Store(new(func(os.Signal) {}))
	c.TellWatch()
	whole := false // both runs are finished
	files := &filewatch.Watcher{Failed: c.Tell, List: func() (paths []string, err error) {
		whole = true
		for i := range 2 {
			run, err := runlist.Find(given.runsDir, given.Word(i))
			if err != nil {
				return nil, err
			}
			whole = whole && run.Manifest.State == store.Complete
			paths = append(paths, filepath.Join(run.Dir, "run.yaml"))
		}
		return paths, nil
	}}
	for first := true; ; first = false {
		next := &console.Output{Format: o.Format, File: o.File, Stdout: o.Stdout, Environ: o.Environ}
		if err := compareAction(ctx, c, given, next); err != nil && first {
			return err
		} else if err != nil {
			c.Tell(err)
		}
		if first {
			if err := files.Mark(); err != nil {
				return console.Usagef("--watch: %w", err)
			}
		}
		for again := true; again; again = !whole {
			if _, err := c.AwaitChange(ctx, files, signals); err != nil {
				return err
			}
		}
	}
}
