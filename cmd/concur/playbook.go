package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/reports"
	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/playbook"
	"github.com/seed-5817661a/concur/runner/playbook/learn"
	"github.com/seed-5817661a/concur/runner/store"
)

func playbookUndo(ctx *cli.Context, w io.Writer) error {
	b, err := learn.Undo(ctx.Context, ctx.Args().First())
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "undone: %s of %s\n", text.Counted(len(b.Changes), "change"), reports.Clean(b.Why))
	return nil
}

func playbookShow(ctx *cli.Context, w io.Writer) error {
	b, err := playbook.Read(ctx.Args().First())
	if err != nil {
		return err
	}
	if ctx.NArg() == 1 {
		var text bytes.Buffer
		if err := b.WriteACE(&text); err != nil {
			return err
		}
		for line := range strings.Lines(text.String()) {
			fmt.Fprintln(w, reports.Clean(strings.TrimSuffix(line, "\n")))
		}
		return nil
	}
	shelf, err := playbook.NewShelf(ctx.Context, b, nil)
	if err != nil {
		return err
	}
	var tools []string
	for _, x := range b.Bullets {
		tools = append(tools, x.Tools...)
	}
	found, err := shelf.Find(ctx.Context, ctx.Args().Get(1), playbook.Choice{K: ctx.Int("k"), Offered: tools})
	if err != nil {
		return err
	}
	if len(found) == 0 {
		fmt.Fprintln(w, "no bullet has a word of this question")
	}
	for _, x := range found {
		fmt.Fprintln(w, reports.Clean(x.Line()))
	}
	return nil
}

func playbookDiff(ctx *cli.Context, w io.Writer) error {
	before, err := playbook.Read(ctx.Args().First())
	if err != nil {
		return err
	}
	after, err := playbook.Read(ctx.Args().Get(1))
	if err != nil {
		return err
	}
	differences := playbook.Diff(before, after)
	for _, d := range differences {
		fmt.Fprintln(w, reports.Clean(d))
	}
	if len(differences) == 0 {
		fmt.Fprintln(w, "the same bullets")
	}
	return nil
}

func (c *console) playbookCheck(ctx *cli.Context, w io.Writer) error {
	b, err := playbook.Read(ctx.Args().First())
	if err != nil {
		return err
	}
	problems := 0
	report := func(what string, list []string) {
		if len(list) > 0 {
			problems++
			fmt.Fprintf(w, "%s: %s\n", what, reports.Clean(strings.Join(list, ", ")))
		}
	}
	if ctx.NArg() == 2 {
		d, err := datasets.Open(ctx.Args().Get(1))
		if err != nil {
			return err
		}
		report("bullets that hold a gold answer", learn.GivenAway(b, learn.Golds(d)))
		report("queries that were learned from, or are in a cluster of one", learn.Seen(b, d))
		report("bullets that name tools which are not there, and are never shown", b.UnknownTools(append(c.assembler.ToolNames(), d.ToolNames()...)))
	}
	if problems > 0 {
		return usagef("playbook check %s: %s, see above", ctx.Args().First(), text.Counted(problems, "problem"))
	}
	fmt.Fprintf(w, "%s: %s, nothing wrong\n", reports.Clean(ctx.Args().First()), text.Counted(len(b.Bullets), "bullet"))
	return nil
}

func playbookStats(ctx *cli.Context, w io.Writer) error {
	b, err := playbook.Read(ctx.Args().First())
	if err != nil {
		return err
	}
	s := b.Stats()
	fmt.Fprintf(w, "%s of about %s, %d in quarantine, %d with a sequence of tools\n", text.Counted(s.Bullets, "bullet"), text.Counted(s.Tokens, "token"), s.Quarantined, s.WithTools)
	for _, section := range b.Sections {
		fmt.Fprintf(w, "  %s: %d\n", reports.Clean(section), s.BySection[section])
	}
	fmt.Fprintf(w, "tags: %d helpful, %d harmful\n", s.Helpful, s.Harmful)
	for _, l := range b.Learned {
		fmt.Fprintf(w, "learned from run %s by %s: %s\n", reports.Clean(l.Run), reports.Clean(l.Reflector), text.Counted(len(l.Queries), "query"))
	}
	best := slices.SortedStableFunc(slices.Values(b.Bullets), func(x, y playbook.Bullet) int { return cmp.Compare(y.Score(), x.Score()) })
	for _, x := range best[:min(3, len(best))] {
		fmt.Fprintf(w, "best: %s\n", reports.Clean(x.Line()))
	}
	return nil
}

// curvePoints are the numbers of learned queries at which a playbook is evaluated.
var curvePoints = []int{5, 10, 20, 40}

func (c *console) playbookCurve(ctx *cli.Context, o *output) error {
	run, err := findRun(ctx)
	if err != nil {
		return err
	}
	source := ctx.String(flagDataset)
	if source == "" {
		return usagef("playbook curve needs --dataset: the queries to evaluate on, which are others than those of the run")
	}
	base, err := c.configuration(ctx, source)
	if err != nil {
		return err
	}
	base.Name = "off"
	confs := []config.Configuration{base}
	options := learn.Options{Labels: learn.Labels(ctx.String("labels")), Level: ctx.Float64("level"), Configuration: ctx.String("learned-as")}
	for _, n := range curvePoints {
		options.Limit = n
		lesson, err := learn.Sequence(run, options)
		if err != nil {
			return usagef("learn from run %s: %w", run.Manifest.Run, err)
		}
		path := filepath.Join(ctx.String("dir"), fmt.Sprintf("curve-%d.yaml", n))
		if _, err := learn.Into(ctx.Context, path, lesson, 0); err != nil {
			return err
		}
		conf := base
		conf.Name, conf.Agent.Playbook.File = fmt.Sprintf("after %d", n), path
		confs = append(confs, conf)
	}
	draft, err := newDraft(ctx, source, confs)
	if err != nil {
		return err
	}
	draft.Manifest.Ablation, draft.Manifest.Baseline = "playbook-curve", base.Name
	return c.begin(ctx, draft, o)
}

func (c *console) playbookLearn(ctx *cli.Context, w io.Writer) error {
	for _, name := range ctx.Args().Slice() {
		run, err := runNamed(ctx, name)
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

func (c *console) reflect(ctx *cli.Context, w io.Writer, run *store.Run, o learn.Options) (lesson *learn.Lesson, err error) {
	spec := ctx.String("reflector")
	if spec == "" {
		return learn.Sequence(run, o)
	}
	f, wrong := fromFile(ctx, config.New())
	if wrong != nil {
		return nil, wrong
	}
	conf := f.Configuration
	conf.Model = spec
	err = c.assembler.WithModel(ctx.Context, conf, func(within context.Context, m model.Model) error {
		unread := 0
		lesson, unread, err = learn.Contrast{Model: m, MaxCalls: ctx.Int("max-calls"), Journal: journalOf(ctx, run)}.Learn(within, run, o)
		if unread > 0 {
			fmt.Fprintf(w, "%s could not be read\n", text.Counted(unread, "reply"))
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

func describeLesson(w io.Writer, run string, l *learn.Lesson, b *learn.Batch) {
	if b == nil {
		fmt.Fprintf(w, "run %s: learned from before by %s; nothing was changed\n", reports.Clean(run), reports.Clean(l.Learned.Reflector))
		return
	}
	fmt.Fprintf(w, "run %s: %s, %s compared, %s\n", reports.Clean(run), text.Counted(len(l.Learned.Queries), "query"), text.Counted(l.Tested, "sequence"), text.Counted(len(b.Changes), "change"))
	for _, c := range b.Changes {
		fmt.Fprintf(w, "  %s %s: %s\n", c.Type, c.Result, reports.Clean(c.Reason))
	}
	for _, r := range b.Refused {
		fmt.Fprintf(w, "  refused: %s: %s\n", r.Type, reports.Clean(r.Why))
	}
	if l.Dropped > 0 {
		fmt.Fprintf(w, "dropped for an answer of the dataset in it: %s\n", text.Counted(l.Dropped, "bullet"))
	}
	if len(l.Nameless) > 0 {
		fmt.Fprintf(w, "no bullet for %s: the questions have no words of their own\n", reports.Clean(strings.Join(l.Nameless, ", ")))
	}
}
