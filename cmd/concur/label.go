package main

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/ablations"
	"github.com/seed-5817661a/concur/ablations/labels"
	"github.com/seed-5817661a/concur/internal/strictyaml"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/reports"
	"github.com/seed-5817661a/concur/runner/store"
)

const (
	flagUniform = "uniform"
	flagFrom    = "from"
)

func (c *console) labelCommand() *cli.Command {
	return &cli.Command{
		Name:      "label",
		Usage:     "say yourself which answers of a run are right",
		ArgsUsage: "RUN [QUERY correct|incorrect]",
		Description: `Without a QUERY, answers are drawn at random, those first whose label tells most: judge and
gold disagree, the traces agree little, the verdict is rare. You see question, expected
answer and answer, and press one key for each; the verdict is hidden unless you ask for it.
What you say replaces the verdict, stays in labels.jsonl beside it, and survives
` + "`concur rejudge`" + `. From 30 drawn labels on, reports show the pass rate corrected by them.

Keys: y right · n wrong · s cannot say · r give a reason first · t the whole trace ·
v the verdict · u back to the last one · q quit

Examples:
  concur label latest
  concur label latest --limit 30 --author ada
  concur label latest calc-03 correct --reason "rounded as asked"
  concur label latest --uniform`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "author", Usage: "`NAME` of who labels", DefaultText: "whom git names", EnvVars: []string{"CONCUR_AUTHOR"}},
			&cli.StringFlag{Name: "reason", Usage: "`WHY`, of a label on a QUERY"},
			&cli.IntFlag{Name: "limit", Usage: "end after so many `LABELS`", DefaultText: "until q"},
			&cli.BoolFlag{Name: flagUniform, Usage: "draw every answer with the same chance"},
			&cli.StringFlag{Name: flagConfiguration, Usage: "label the configuration `NAME` of an ablation only", DefaultText: "all"},
			runsDirFlag(),
		},
		Action: c.labelAction,
	}
}

func (c *console) labelAction(ctx *cli.Context) error {
	run, err := findRun(ctx, 3)
	if err != nil {
		return err
	}
	if run.Manifest.State != store.Complete {
		return usagef("run %s is not complete (state: %s): finish it first with `%s`", run.Manifest.Run, run.Manifest.State, store.ResumeCommand(run.Dir, run.Manifest))
	}
	records, err := run.Sorted()
	if err != nil {
		return err
	}
	if name := ctx.String(flagConfiguration); name != "" {
		if _, err := agentsOf(ctx, run.Manifest); err != nil {
			return err
		}
		records = slices.DeleteFunc(records, func(r store.Record) bool { return r.Configuration != name })
	}
	l := &labeller{
		console: c, run: run, ctx: ctx.Context, in: bufio.NewReader(c.in), screen: screenOf(c.err, c.environ, usualWidth),
		author: cmp.Or(ctx.String("author"), c.author(ctx.Context)),
	}
	switch ctx.NArg() {
	case 1:
		order, wrong := labels.Order(records, run.Manifest.Seed, ctx.Bool(flagUniform))
		if wrong != nil {
			return usagef("label run %s: %w", run.Manifest.Run, wrong)
		}
		err = l.session(ctx, order)
	case 3:
		err = l.one(records, ctx.Args().Get(1), judge.Ruling(ctx.Args().Get(2)), ctx.String("reason"))
	default:
		return usagef("label takes RUN, or RUN QUERY correct|incorrect")
	}
	if err != nil || l.given == 0 {
		return err
	}
	r, err := ablations.Summarize(run, "", ablations.Options{Margin: ablations.DefaultMargin})
	if err != nil {
		return err
	}
	return c.derive(run, r)
}

// labeller asks a person about answers of a run.
type labeller struct {
	*console
	run    *store.Run
	index  *store.Index // of its traces, in a session
	ctx    context.Context
	in     *bufio.Reader
	author string
	screen reports.Screen
	given  int
}

// one labels the answer to a query that the person names.
func (l *labeller) one(records []store.Record, query string, verdict judge.Ruling, reason string) error {
	if verdict != judge.Correct && verdict != judge.Incorrect {
		return usagef("label %s: %q is not a verdict: say correct or incorrect", query, verdict)
	}
	var known []string
	for _, r := range records {
		known = append(known, r.Query)
	}
	records = slices.DeleteFunc(records, func(r store.Record) bool { return r.Query != query })
	switch {
	case len(records) == 0:
		return usagef("run %s has no query %q: %s", l.run.Manifest.Run, query, strictyaml.Suggest(query, known))
	case len(records) > 1:
		return usagef("query %s has answers of %d configurations: name one with --%s", query, len(records), flagConfiguration)
	}
	r := records[0]
	if r.Consensus.Representative == nil {
		return usagef("the traces of query %s have no answer in common that could be labelled (%s)", query, r.Consensus.Method)
	}
	label := store.Label{Configuration: r.Configuration, Query: query, Trace: *r.Consensus.Representative, Verdict: verdict, Reason: reason, Seen: true}
	if err := l.add(label); err != nil {
		return err
	}
	_, err := fmt.Fprintf(l.out, "%s is %s by %s; the verdict was %s (%s)\n", reports.Printable(query), verdict, reports.Printable(l.author), r.Before().Verdict, reports.Printable(r.Before().Reason))
	return err
}

func (l *labeller) add(label store.Label) error {
	label.Author, label.Time = l.author, time.Now().UTC()
	if err := l.run.AddLabel(l.ctx, label); err != nil {
		return err
	}
	l.given++
	return nil
}

// author is who labels an answer or changes a baseline: whom the CI names, or git.
func (c *console) author(ctx context.Context) string {
	ident, _ := gitOutput(ctx, "var", "GIT_AUTHOR_IDENT") // name <address> time zone
	name, _, found := strings.Cut(ident, "> ")
	if found {
		name += ">"
	}
	return cmp.Or(c.environ("GITHUB_ACTOR"), c.environ("GITLAB_USER_LOGIN"), name, c.environ("USER"), c.environ("USERNAME"), "unknown")
}
