package reading

import (
	"context"
	_ "embed"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/cmd/concur/console"
	"github.com/seed-5817661a/concur/cmd/concur/flags"
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/runner/merge"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/store/runlist"
)

// mergeAction joins shards into a run, and prints what is missing.
func mergeAction(given *mergeOptions, w io.Writer) error {
	if name := filepath.Base(given.into); given.into != "" &&
		(strings.HasPrefix(name, ".") || strings.HasPrefix(name, runlist.Latest)) {
		return console.Usagef("--into %s: choose a folder whose name does not begin with a point or with %s", given.into,
			runlist.Latest)
	}
	shards := make([]*store.Run, len(given.Words))
	for i, name := range given.Words {
		var err error
		if shards[i], err = runlist.Find(given.runsDir, name); err != nil {
			return err
		}
	}
	r, err := merge.Into(given.into, given.runsDir, shards, time.Now())
	if err != nil {
		return console.ExplainDisk(err)
	}
	m := r.Run.Manifest
	fmt.Fprintf(w, "%s: %s of %s, %s (state: %s)\n", r.Run.Dir, text.CountedOf(len(shards), r.Of, "shard"), m.Dataset.Name,
		text.Counted(m.Dataset.Queries, "query"), m.State)
	if len(r.Absent) > 0 {
		fmt.Fprintf(w, "missing: %s\n", absent(r))
	}
	for _, u := range r.Unfinished {
		fmt.Fprintf(w, "unfinished: shard %s in %s, with %s\n", u.Shard, u.Dir,
			text.CountedOf(u.Decided, u.Records, "record"))
	}
	if m.State != store.Complete {
		fmt.Fprintf(w, "finish these shards and merge again, or run what is missing here: %s\n",
			store.ResumeCommand(r.Run.Dir, m))
	}
	return nil
}

// absent names the shards that were not given, at most 20.
func absent(r merge.Result) string {
	names := make([]string, len(r.Absent))
	for i, index := range r.Absent {
		names[i] = fmt.Sprintf("%d/%d", index, r.Of)
	}
	return text.Verb(len(names), "shard ", "shards ") + strings.TrimSpace(text.ListedUpTo(20, names))
}

//go:embed help/merge.txt
var mergeHelp string

// mergeOptions holds the arguments and flags of concur merge.
type mergeOptions struct {
	flags.Arguments

	runsDir, into string
}

// MergeCommand returns the command `concur merge`.
func MergeCommand(c *console.Console) *cli.Command {
	var given mergeOptions
	return &cli.Command{
		Name: "merge", ArgsUsage: "RUN [RUN…]", Description: flags.Described(mergeHelp),
		Usage: "merge the shards of a run into one run",
		Flags: []cli.Flag{
			&cli.StringFlag{
				Name: "into", Destination: &given.into, TakesFile: true, DefaultText: "a new one in the folder of runs",
				Usage: "`FOLDER` of the merged run; its last part becomes the run's name",
			},
			flags.RunsDir(&given.runsDir),
		},
		Action: flags.Takes(&given.Arguments, "the RUNs that are its shards", c.Folded(func(_ context.Context,
			w io.Writer) error {
			return mergeAction(&given, w)
		})),
	}
}
