package learning

import (
	"bytes"
	"cmp"
	"context"
	_ "embed"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/cmd/concur/console"
	"github.com/seed-5817661a/concur/cmd/concur/flags"
	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/reports/document"
	"github.com/seed-5817661a/concur/runner/playbook"
	"github.com/seed-5817661a/concur/runner/playbook/learn"
)

func playbookUndo(ctx context.Context, given *flags.Arguments, w io.Writer) error {
	b, err := learn.Undo(ctx, given.Word(0))
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "undone: %s of %s\n", text.Counted(len(b.Changes), "change"), document.Clean(b.Why))
	return nil
}

func playbookShow(ctx context.Context, given *playbookShowOptions, w io.Writer) error {
	b, err := playbook.Read(given.Word(0))
	if err != nil {
		return err
	}
	if len(given.Words) == 1 {
		if err := given.Idle("without a QUESTION", flags.NameK); err != nil {
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
	found, err := shelf.Find(ctx, given.Word(1), playbook.Choice{K: given.k, Offered: tools})
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

func playbookDiff(given *flags.Arguments, w io.Writer) error {
	before, err := playbook.Read(given.Word(0))
	if err != nil {
		return err
	}
	after, err := playbook.Read(given.Word(1))
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

func playbookCheck(c *console.Console, given *flags.Arguments, w io.Writer) error {
	b, err := playbook.Read(given.Word(0))
	if err != nil {
		return err
	}
	problems := 0
	const opposed = "bullets that contradict each other, of which an agent sees one"
	report := func(what string, list []string) {
		if len(list) > 0 {
			problems++
			fmt.Fprintf(w, "%s: %s\n", what, document.Clean(strings.Join(list, ", ")))
		}
	}
	report(opposed, b.Contradictions())
	if len(given.Words) == 2 {
		d, err := datasets.Open(given.Word(1))
		if err != nil {
			return err
		}
		report("bullets that hold a gold answer", learn.GivenAway(b, learn.Golds(d)))
		report("queries from which bullets were learned, or in the same cluster", learn.SeenQueries(b, d))
		report("bullets that are never shown, because they name missing tools",
			b.UnknownTools(append(c.Assembler.ToolNames(), datasets.ToolNames(d.Tools)...)))
	}
	if problems > 0 {
		return console.Usagef("playbook check %s: %s, see above", given.Word(0), text.Counted(problems, "problem"))
	}
	fmt.Fprintf(w, "%s: %s, nothing wrong\n", document.Clean(given.Word(0)), text.Counted(len(b.Bullets), "bullet"))
	return nil
}

func playbookStats(given *flags.Arguments, w io.Writer) error {
	b, err := playbook.Read(given.Word(0))
	if err != nil {
		return err
	}
	s := b.Stats()
	fmt.Fprintf(w, "%s of about %s, %d in quarantine, %s, %d with a sequence of tools\n",
		text.Counted(s.Bullets, "bullet"), text.Counted(s.Tokens, "token"), s.Quarantined, text.Counted(s.Drafts, "draft"),
		s.WithTools)
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

func playbookStage(ctx context.Context, given *flags.Arguments, w io.Writer) error {
	to, err := playbook.ParseStage(given.Word(1))
	if err != nil {
		return console.Usagef("playbook stage: %w", err)
	}
	b, err := learn.MoveTo(ctx, given.Word(0), to, given.Words[2:], time.Now())
	if err != nil {
		return err
	}
	moved := 0
	if b != nil {
		moved = len(b.Changes)
	}
	fmt.Fprintf(w, "%s: %s, now %s\n", document.Clean(given.Word(0)), text.Counted(moved, "bullet"), to)
	return nil
}

// playbookLog prints the changes of bullets: of those with the given ids, or of all bullets.
func playbookLog(given *flags.Arguments, w io.Writer) error {
	batches, current, err := learn.History(given.Word(0))
	if err != nil {
		return err
	}
	ids := given.Words[1:]
	for i, b := range batches {
		if i == current {
			fmt.Fprintln(w, "the file lacks the changes below: a process was killed, or the file was edited by hand")
		}
		about := func(c playbook.Change) bool { return len(ids) == 0 || slices.Contains(ids, c.Result) }
		if len(ids) > 0 && !slices.ContainsFunc(b.Changes, about) {
			continue
		}
		fmt.Fprintf(w, "%s %s: %s\n", document.Clean(cmp.Or(b.Time, "time unknown")), document.Clean(b.Why),
			text.Counted(len(b.Changes), "change"))
		for _, c := range b.Changes {
			if about(c) {
				fmt.Fprintf(w, "  %s %s: %s\n", document.Clean(string(c.Type)), document.Clean(c.Result),
					document.Clean(c.Reason))
			}
		}
	}
	if len(batches) == 0 {
		fmt.Fprintf(w, "%s has no log\n", document.Clean(given.Word(0)))
	}
	return nil
}

// Texts of help.
var (
	//go:embed help/playbook-undo.txt
	playbookUndoHelp string
	//go:embed help/playbook-stage.txt
	playbookStageHelp string
	//go:embed help/playbook-log.txt
	playbookLogHelp string
	//go:embed help/playbook-show.txt
	playbookShowHelp string
	//go:embed help/playbook-diff.txt
	playbookDiffHelp string
	//go:embed help/playbook-check.txt
	playbookCheckHelp string
	//go:embed help/playbook-stats.txt
	playbookStatsHelp string
)

// PlaybookCommand returns the command `concur playbook`.
func PlaybookCommand(c *console.Console) *cli.Command {
	return &cli.Command{
		Name:   "playbook",
		Usage:  "learn advice from runs, and measure whether it helps",
		Action: flags.ShowCommands,
		Subcommands: []*cli.Command{
			playbookLearnCommand(c),
			fileCommand(c, "undo", "FILE", "one FILE", playbookUndoHelp, "undo the last change of a playbook", playbookUndo),
			fileCommand(c, "stage", "FILE shown|draft [ID…]", "", playbookStageHelp,
				"let agents see bullets of a playbook, or make them drafts", playbookStage),
			fileCommand(c, "log", "FILE [ID…]", "", playbookLogHelp, "show what changed a playbook, and why",
				quick(playbookLog)),
			playbookShowCommand(c),
			fileCommand(c, "diff", "OLD NEW", "OLD and NEW", playbookDiffHelp, "show the bullets in which two playbooks differ",
				quick(playbookDiff)),
			fileCommand(c, "check", "FILE [DATASET]", "", playbookCheckHelp, "check a playbook, alone or against a dataset",
				quick(func(given *flags.Arguments, w io.Writer) error { return playbookCheck(c, given, w) })),
			fileCommand(c, "stats", "FILE", "", playbookStatsHelp, "count the bullets and tags of a playbook",
				quick(playbookStats)),
			playbookCurveCommand(c),
		},
	}
}

// quick makes an action of a function that needs no context.
func quick(run func(*flags.Arguments, io.Writer) error) func(context.Context, *flags.Arguments, io.Writer) error {
	return func(_ context.Context, given *flags.Arguments, w io.Writer) error { return run(given, w) }
}

// fileCommand returns a command that has arguments and no flags.
func fileCommand(c *console.Console, name, argsUsage, number, help, usage string,
	run func(context.Context, *flags.Arguments, io.Writer) error) *cli.Command {
	var given flags.Arguments
	return &cli.Command{
		Name: name, ArgsUsage: argsUsage, Description: flags.Described(help), Usage: usage,
		Action: flags.Takes(&given, number, c.Folded(func(ctx context.Context, w io.Writer) error {
			return run(ctx, &given, w)
		})),
	}
}

// playbookShowOptions holds the arguments and flags of concur playbook show.
type playbookShowOptions struct {
	flags.Arguments

	k int
}

func playbookShowCommand(c *console.Console) *cli.Command {
	var given playbookShowOptions
	return &cli.Command{
		Name: "show", ArgsUsage: "FILE [QUESTION]", Description: flags.Described(playbookShowHelp),
		Usage: "show the bullets of a playbook, or those for a question",
		Flags: []cli.Flag{
			&cli.IntFlag{Name: flags.NameK, Destination: &given.k, Value: 3, Usage: "with a QUESTION: number of `BULLETS`"},
		},
		Action: flags.Takes(&given.Arguments, "", c.Folded(func(ctx context.Context, w io.Writer) error {
			return playbookShow(ctx, &given, w)
		})),
	}
}
