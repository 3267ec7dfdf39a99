package main

import (
	"bytes"
	"cmp"
	"context"
	_ "embed"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/reports/document"
	"github.com/seed-5817661a/concur/runner/playbook"
	"github.com/seed-5817661a/concur/runner/playbook/learn"
)

func playbookUndo(ctx context.Context, given *arguments, w io.Writer) error {
	b, err := learn.Undo(ctx, given.word(0))
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "undone: %s of %s\n", text.Counted(len(b.Changes), "change"), document.Clean(b.Why))
	return nil
}

func playbookShow(ctx context.Context, given *playbookShowOptions, w io.Writer) error {
	b, err := playbook.Read(given.word(0))
	if err != nil {
		return err
	}
	if len(given.words) == 1 {
		if err := given.idle("without a QUESTION", flagK); err != nil {
			return err
		}
		var text bytes.Buffer
		if err := b.WriteACE(&text); err != nil {
			return err
		}
		for line := range strings.Lines(text.String()) {
			fmt.Fprintln(w, document.Clean(strings.TrimSuffix(line, "\n")))
		}
		return nil
	}
	shelf, err := playbook.NewShelf(ctx, b, nil)
	if err != nil {
		return err
	}
	var tools []string
	for _, x := range b.Bullets {
		tools = append(tools, x.Tools...)
	}
	found, err := shelf.Find(ctx, given.word(1), playbook.Choice{K: given.k, Offered: tools})
	if err != nil {
		return err
	}
	if len(found) == 0 {
		fmt.Fprintln(w, "no bullet has a word of this question")
	}
	for _, x := range found {
		fmt.Fprintln(w, document.Clean(x.Line()))
	}
	return nil
}

func playbookDiff(given *arguments, w io.Writer) error {
	before, err := playbook.Read(given.word(0))
	if err != nil {
		return err
	}
	after, err := playbook.Read(given.word(1))
	if err != nil {
		return err
	}
	differences := playbook.Diff(before, after)
	for _, d := range differences {
		fmt.Fprintln(w, document.Clean(d))
	}
	if len(differences) == 0 {
		fmt.Fprintln(w, "the same bullets")
	}
	return nil
}

func (c *console) playbookCheck(given *arguments, w io.Writer) error {
	b, err := playbook.Read(given.word(0))
	if err != nil {
		return err
	}
	problems := 0
	report := func(what string, list []string) {
		if len(list) > 0 {
			problems++
			fmt.Fprintf(w, "%s: %s\n", what, document.Clean(strings.Join(list, ", ")))
		}
	}
	if len(given.words) == 2 {
		d, err := datasets.Open(given.word(1))
		if err != nil {
			return err
		}
		report("bullets that hold a gold answer", learn.GivenAway(b, learn.Golds(d)))
		report("queries that were learned from, or are in a cluster of one", learn.SeenQueries(b, d))
		report("bullets that name tools which are not there, and are never shown",
			b.UnknownTools(append(c.assembler.ToolNames(), d.ToolNames()...)))
	}
	if problems > 0 {
		return usagef("playbook check %s: %s, see above", given.word(0), text.Counted(problems, "problem"))
	}
	fmt.Fprintf(w, "%s: %s, nothing wrong\n", document.Clean(given.word(0)), text.Counted(len(b.Bullets), "bullet"))
	return nil
}

func playbookStats(given *arguments, w io.Writer) error {
	b, err := playbook.Read(given.word(0))
	if err != nil {
		return err
	}
	s := b.Stats()
	fmt.Fprintf(w, "%s of about %s, %d in quarantine, %d with a sequence of tools\n",
		text.Counted(s.Bullets, "bullet"), text.Counted(s.Tokens, "token"), s.Quarantined, s.WithTools)
	for _, section := range b.Sections {
		fmt.Fprintf(w, "  %s: %d\n", document.Clean(section), s.BySection[section])
	}
	fmt.Fprintf(w, "tags: %d helpful, %d harmful\n", s.Helpful, s.Harmful)
	for _, l := range b.Learned {
		fmt.Fprintf(w, "learned from run %s by %s: %s\n", document.Clean(l.Run), document.Clean(l.Reflector),
			text.Counted(len(l.Queries), "query"))
	}
	best := slices.SortedStableFunc(slices.Values(b.Bullets),
		func(x, y playbook.Bullet) int { return cmp.Compare(y.Score(), x.Score()) })
	for _, x := range best[:min(3, len(best))] {
		fmt.Fprintf(w, "best: %s\n", document.Clean(x.Line()))
	}
	return nil
}

func playbookCommand(c *console) *cli.Command {
	return &cli.Command{
		Name:   "playbook",
		Usage:  "learn advice from runs, and measure whether it helps",
		Action: showCommands,
		Subcommands: []*cli.Command{
			playbookLearnCommand(c),
			playbookUndoCommand(c),
			playbookShowCommand(c),
			playbookDiffCommand(c),
			playbookCheckCommand(c),
			playbookStatsCommand(c),
			playbookCurveCommand(c),
		},
	}
}

//go:embed help/playbook-undo.txt
var playbookUndoHelp string

func playbookUndoCommand(c *console) *cli.Command {
	var given arguments
	return &cli.Command{
		Name: "undo", ArgsUsage: "FILE", Description: described(playbookUndoHelp),
		Usage: "undo the last change of a playbook",
		Action: takes(&given, "one FILE", c.folded(func(ctx context.Context, w io.Writer) error {
			return playbookUndo(ctx, &given, w)
		})),
	}
}

//go:embed help/playbook-show.txt
var playbookShowHelp string

// playbookShowOptions holds the arguments and flags of concur playbook show.
type playbookShowOptions struct {
	arguments

	k int
}

func playbookShowCommand(c *console) *cli.Command {
	var given playbookShowOptions
	return &cli.Command{
		Name: "show", ArgsUsage: "FILE [QUESTION]", Description: described(playbookShowHelp),
		Usage: "show the bullets of a playbook, or those for a question",
		Flags: []cli.Flag{
			&cli.IntFlag{Name: flagK, Destination: &given.k, Value: 3, Usage: "with a QUESTION: number of `BULLETS`"},
		},
		Action: takes(&given.arguments, "", c.folded(func(ctx context.Context, w io.Writer) error {
			return playbookShow(ctx, &given, w)
		})),
	}
}

//go:embed help/playbook-diff.txt
var playbookDiffHelp string

func playbookDiffCommand(c *console) *cli.Command {
	var given arguments
	return &cli.Command{
		Name: "diff", ArgsUsage: "OLD NEW", Description: described(playbookDiffHelp),
		Usage: "show the bullets in which two playbooks differ",
		Action: takes(&given, "OLD and NEW", c.folded(func(_ context.Context, w io.Writer) error {
			return playbookDiff(&given, w)
		})),
	}
}

//go:embed help/playbook-check.txt
var playbookCheckHelp string

func playbookCheckCommand(c *console) *cli.Command {
	var given arguments
	return &cli.Command{
		Name: "check", ArgsUsage: "FILE [DATASET]", Description: described(playbookCheckHelp),
		Usage: "check a playbook, alone or against a dataset",
		Action: takes(&given, "", c.folded(func(_ context.Context, w io.Writer) error {
			return c.playbookCheck(&given, w)
		})),
	}
}

//go:embed help/playbook-stats.txt
var playbookStatsHelp string

func playbookStatsCommand(c *console) *cli.Command {
	var given arguments
	return &cli.Command{
		Name: "stats", ArgsUsage: "FILE", Description: described(playbookStatsHelp),
		Usage: "count the bullets and tags of a playbook",
		Action: takes(&given, "", c.folded(func(_ context.Context, w io.Writer) error {
			return playbookStats(&given, w)
		})),
	}
}
