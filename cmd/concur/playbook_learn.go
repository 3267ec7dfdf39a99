package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/ablations/gate"
	"github.com/seed-5817661a/concur/reports"
	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/model"
	"github.com/seed-5817661a/concur/runner/playbook/learn"
	"github.com/seed-5817661a/concur/runner/store"
)

func (c *console) playbookLearn(ctx *cli.Context, w io.Writer) error {
	if ctx.NArg() == 0 {
		return usagef("playbook learn takes RUN…; `concur playbook learn latest` takes the newest run")
	}
	for _, name := range ctx.Args().Slice() {
		run, err := store.Find(ctx.String(flagRunsDir), name)
		if err != nil {
			return err
		}
		o, err := learnOptions(ctx, run)
		if err != nil {
			return err
		}
		lesson, err := c.reflect(ctx, w, run, o)
		if err != nil {
			return usagef("learn from run %s: %w", run.Manifest.Run, err)
		}
		batch, err := learn.Into(ctx.Context, ctx.String("into"), lesson, o.Budget)
		if err != nil {
			return err
		}
		if err := os.Remove(journalOf(ctx, run)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		describeLesson(w, run.Manifest.Run, lesson, batch)
	}
	return nil
}

// reflect finds out what a run teaches, by the reflector that is asked for.
func (c *console) reflect(ctx *cli.Context, w io.Writer, run *store.Run, o learn.Options) (lesson *learn.Lesson, err error) {
	spec := ctx.String("reflector")
	if spec == "" {
		return learn.Sequence(run, o)
	}
	f, wrong := fromFile(ctx, config.New())
	if len(wrong) > 0 {
		return nil, errors.Join(wrong...)
	}
	conf := f.Configuration
	conf.Model = spec
	err = c.assembler.WithModel(ctx.Context, conf, func(within context.Context, m model.Model) error {
		unread := 0
		lesson, unread, err = learn.Contrast{Model: m, MaxCalls: ctx.Int("max-calls"), Journal: journalOf(ctx, run)}.Learn(within, run, o)
		if unread > 0 {
			fmt.Fprintf(w, "%s could not be read\n", gate.Counted(unread, "reply"))
		}
		return err
	})
	return lesson, err
}

// journalOf is the file that keeps a model's replies about a run until the playbook has them.
func journalOf(ctx *cli.Context, run *store.Run) string {
	return ctx.String("into") + "." + run.Manifest.Run + "." + ctx.String("labels") + ".journal"
}

func learnOptions(ctx *cli.Context, run *store.Run) (learn.Options, error) {
	o := learn.Options{
		Labels: learn.Labels(ctx.String("labels")), Level: ctx.Float64("level"), Configuration: ctx.String(flagConfiguration), Budget: ctx.Int("budget"),
	}
	switch {
	case o.Labels != learn.Gold && o.Labels != learn.Majority:
		return o, usagef("--labels %q is not known: %s, %s", o.Labels, learn.Gold, learn.Majority)
	case !(o.Level > 0 && o.Level < 1):
		return o, usagef("--level is %v: give one between 0 and 1, such as %v", o.Level, learn.DefaultLevel)
	case o.Budget < 0:
		return o, usagef("--budget is %d: give 1 or more tokens", o.Budget)
	}
	data, _, err := runner.Reopen(run.Manifest, ctx.String(flagDataset))
	if err != nil {
		return o, err
	}
	o.Known = learn.Golds(data)
	return o, nil
}

// describeLesson prints what a run taught.
func describeLesson(w io.Writer, run string, l *learn.Lesson, b *learn.Batch) {
	if b == nil {
		fmt.Fprintf(w, "run %s: learned from before by %s; nothing was changed\n", reports.Clean(run), reports.Clean(l.Learned.Reflector))
		return
	}
	fmt.Fprintf(w, "run %s: %s, %s compared, %s\n", reports.Clean(run), gate.Counted(len(l.Learned.Queries), "query"), gate.Counted(l.Tested, "sequence"), gate.Counted(len(b.Changes), "change"))
	for _, c := range b.Changes {
		fmt.Fprintf(w, "  %s %s: %s\n", c.Type, c.Result, reports.Clean(c.Reason))
	}
	for _, r := range b.Refused {
		fmt.Fprintf(w, "  refused: %s: %s\n", r.Type, reports.Clean(r.Why))
	}
	if l.Dropped > 0 {
		fmt.Fprintf(w, "dropped for an answer of the dataset in it: %s\n", gate.Counted(l.Dropped, "bullet"))
	}
	if len(l.Nameless) > 0 {
		fmt.Fprintf(w, "no bullet for %s: the questions have no words of their own\n", reports.Clean(strings.Join(l.Nameless, ", ")))
	}
}
