package main

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/reports"
	"github.com/seed-5817661a/concur/runner/store"
)

// maxRows is the number of queries up to which a report shows each; beyond, it shows
// those that failed.
const maxRows = 60

const flagPartial = "partial"

func (c *console) reportCommand() *cli.Command {
	return &cli.Command{
		Name:      "report",
		Usage:     "show a finished run again",
		ArgsUsage: "RUN",
		Description: `RUN is a run folder, its name, or latest.

Examples:
  concur report latest
  concur report runs/20260102T030405-gold29-1a2b3c4d --format json
  concur report latest --partial`,
		Flags: append(outputFlags(), runsDirFlag(),
			&cli.BoolFlag{Name: flagPartial, Usage: "show a run that is not complete, with bounds for what is missing"}),
		OnUsageError: usageError,
		Action: func(ctx *cli.Context) error {
			return c.withOutput(ctx, func(o *output) error {
				run, err := findRun(ctx, 1)
				if err != nil {
					return err
				}
				if err := o.spare(run.Dir); err != nil {
					return err
				}
				how := again
				if ctx.Bool(flagPartial) {
					how = partial
				}
				return c.reportOn(run.Dir, o, how)
			})
		},
	}
}

// findRun opens the run that the first argument names. most is the number of arguments
// that the command takes.
func findRun(ctx *cli.Context, most int) (*store.Run, error) {
	if ctx.NArg() < 1 || ctx.NArg() > most {
		return nil, usagef("%s takes %s; `concur %s latest` takes the newest run", ctx.Command.Name, ctx.Command.ArgsUsage, ctx.Command.Name)
	}
	run, err := store.Find(ctx.String(flagRunsDir), ctx.Args().First())
	if err != nil {
		return nil, usagef("%w", err)
	}
	return run, nil
}

// occasion is why a run is reported on.
type occasion int

const (
	again   occasion = iota // it was asked for; the run must be complete
	partial                 // asked for whatever there is
	fresh                   // it has just ended
)

// reportOn computes the numbers of a run from its records and renders them. A fresh run
// also gets its summary.json and chat.md, and its exit code says whether it is valid.
func (c *console) reportOn(dir string, o *output, why occasion) error {
	run, err := store.Open(dir)
	if err != nil {
		return usagef("%w", err)
	}
	if run.Manifest.State != store.Complete && why != partial {
		return usagef("run %s is not complete (state: %s), and a table of a part of it would mislead: finish it with `%s`, or add --%s to see bounds", run.Manifest.Run, run.Manifest.State, resumeCommand(run.Dir), flagPartial)
	}
	r, err := result.Summarize(run.Manifest, run.Records())
	if err != nil {
		return usagef("%w", err)
	}
	r.Warnings = append(r.Warnings, adviseJudge(run.Manifest)...)
	err = o.write(func() error {
		if o.format == formatJSON {
			return reports.JSON(o, r)
		}
		if err := queryTable(o, run); err != nil {
			return err
		}
		o.WriteString("\n")
		return reports.Summary(o, r, modelNotes())
	})
	if why == fresh {
		err = errors.Join(err, c.derive(run, r))
	}
	if err == nil && why == fresh && r.Invalid() {
		return &exitError{exitInvalid, fmt.Errorf("a query has no valid trace, so the run says nothing about it; the reason stands in the table, and `concur trace %s QUERY` shows it in full. Once that is mended, run what failed again with: %s --%s", run.Dir, resumeCommand(run.Dir), flagRetryFailed)}
	}
	return err
}

// derive writes the files that a run's records lead to. The result was delivered before:
// a disk that fills up now costs files that can be made again.
func (c *console) derive(run *store.Run, r *result.Result) error {
	err := writeDerived(run, r)
	if errors.Is(err, reports.ErrTooManyTraces) {
		fmt.Fprintf(c.err, "chat.md is left out: more than %d traces; `concur trace latest QUERY` shows single ones\n", reports.MaxChatTraces)
		return nil
	}
	if err != nil {
		return &exitError{exitInvalid, fmt.Errorf("%w; the records are whole, and `concur report latest` shows them", err)}
	}
	return nil
}

// adviseJudge says how to name a judge where a real model ran without one.
func adviseJudge(m store.Manifest) []string {
	var out []string
	for _, c := range m.Configurations {
		if !isOffline(c.Model) && c.Judge.Correctness == "" && c.Judge.Quality == "" {
			out = append(out, c.Name+": no judge was asked; to have answers judged by a model, add --judge openai:gpt-4o, or judge: {correctness: …, quality: …} in concur.yaml")
		}
	}
	return out
}

// writeDerived writes the files that can be made again from the records.
func writeDerived(run *store.Run, r *result.Result) error {
	var summary output
	if err := reports.JSON(&summary, r); err != nil {
		return err
	}
	if err := store.WriteFile(summaryPath(run.Dir), summary.Bytes()); err != nil {
		return err
	}
	return reports.WriteChat(run)
}

// queryTable writes the rows of single queries: all of a small run, the failures of a
// large one.
func queryTable(o *output, run *store.Run) error {
	records, err := sortedRecords(run)
	if err != nil {
		return err
	}
	return reports.Queries(o, records, len(records) > maxRows)
}

func sortedRecords(run *store.Run) ([]store.Record, error) {
	var records []store.Record
	for r, err := range run.Records() {
		if err != nil {
			return nil, usagef("%w", err)
		}
		records = append(records, r)
	}
	order := run.Manifest.Dataset.Categories
	slices.SortStableFunc(records, func(a, b store.Record) int {
		return cmp.Or(
			cmp.Compare(a.Configuration, b.Configuration),
			cmp.Compare(slices.Index(order, a.Category), slices.Index(order, b.Category)),
			cmp.Compare(a.Query, b.Query),
		)
	})
	return records, nil
}
