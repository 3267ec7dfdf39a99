package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/ablations/baseline"
	"github.com/seed-5817661a/concur/ablations/confirm"
	"github.com/seed-5817661a/concur/ablations/gate"
	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/ablations/score"
	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/reports"
	"github.com/seed-5817661a/concur/reports/export"
	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/assemble"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/imports"
	"github.com/seed-5817661a/concur/runner/store"
)

func (c *console) importAction(ctx *cli.Context, o *output) error {
	log, err := openImport(ctx)
	err = orOther(err, ctx.Args().First(), "import", "results of another harness, or chats as JSONL")
	if err == nil && ctx.IsSet(flagDataset) {
		var data *datasets.Dataset
		if data, err = datasets.Open(ctx.String(flagDataset)); err == nil {
			err = log.Judge(data)
		}
	}
	if err != nil {
		return err
	}
	log.Pass = ctx.String("pass")
	for _, note := range append(log.Counts(), log.Notes...) {
		fmt.Fprintln(c.err, "import:", note)
	}
	dir, err := c.saveImport(ctx, log)
	if err != nil {
		return err
	}
	fmt.Fprintln(c.err, "import:", log.Tool, "into", dir)
	return c.reportOn(dir, o, true, reporting(ctx))
}

// openImport reads the file of concur import, by a mapping or as one of the known formats.
func openImport(ctx *cli.Context) (*imports.Log, error) {
	file := ctx.Args().First()
	if !ctx.IsSet("mapping") {
		return imports.Open(file, ctx.String(flagFrom), ctx.String("score"))
	}
	for _, other := range []string{flagFrom, "score"} {
		if ctx.IsSet(other) {
			return nil, usagef("--mapping reads a file of any format: leave out --%s", other)
		}
	}
	mapping, err := imports.ReadMapping(ctx.String("mapping"))
	if err != nil {
		return nil, usagef("--mapping: %w", err)
	}
	return imports.OpenMapped(file, mapping)
}

// saveImport writes an imported log as a run. With --extract model, a model reads what the rules do not.
func (c *console) saveImport(ctx *cli.Context, log *imports.Log) (dir string, err error) {
	save := func(within context.Context) (err error) {
		dir, err = log.Save(within, ctx.String(flagRunsDir), c.assembler.Versions(), time.Now())
		return err
	}
	conf := config.Configuration{}
	if ctx.IsSet("extract") || ctx.IsSet("extractor") || ctx.IsSet(flagConfig) { // of a configuration nothing else counts
		if conf, err = c.configuration(ctx, ""); err != nil {
			return "", err
		}
	}
	if conf.Extract.IsZero() {
		err = save(ctx.Context)
		return dir, err
	}
	prices, err := c.assembler.Prices(conf)
	if err != nil {
		return "", err
	}
	log.Price = prices.Price
	err = c.assembler.WithJudges(ctx.Context, conf, assemble.Questioners{Extractor: conf.ExtractorModel()}, func(within context.Context, open runner.Arm) error {
		log.Extractor = open.Extractor
		return save(within)
	})
	return dir, err
}

func (c *console) export(ctx *cli.Context, o *output) error {
	run, err := findRun(ctx)
	if err != nil {
		return err
	}
	if err := mayReplace(ctx, o.file); err != nil {
		return err
	}
	name := result.Named(run.Manifest, ctx.String(flagConfiguration))
	if _, err := agentsOf(ctx, run.Manifest); err != nil {
		return err
	}
	return o.write(func() error {
		switch o.format {
		case "votes":
			return export.Votes(o, run, name)
		case "inspect":
			return export.Inspect(o, run, name, c.targets(run.Manifest))
		}
		counts, err := export.Chats(o, run, name)
		if err == nil {
			fmt.Fprintln(c.err, counts)
		}
		return err
	})
}

// targets are the right answers of a run's queries by id, as far as its dataset can be read.
func (c *console) targets(m store.Manifest) map[string][]string {
	data, _, err := runner.Reopen(m, "")
	if err != nil {
		fmt.Fprintln(c.err, "export: note: targets are as the run's records show the gold:", err)
		return nil
	}
	out := map[string][]string{}
	for _, q := range data.Queries {
		if q.Gold.Answer != "" {
			out[q.ID] = append([]string{q.Gold.Answer}, q.Gold.Aliases...)
		}
	}
	return out
}

func (c *console) scoreAction(ctx *cli.Context, o *output) error {
	how := reporting(ctx)
	options := score.Options{
		Fields: score.Fields{ID: ctx.String("id"), Gold: ctx.String("gold"), Answers: ctx.String("answers"), Correct: ctx.String("correct")},
		Type:   answer.Type(ctx.String("type")), Norm: score.Norm(ctx.String("norm")), Nulls: score.Nulls(ctx.String("nulls")),
		Quorum: consensus.Quorum(ctx.String("quorum")), Partial: ctx.Bool(flagPartial), Records: ctx.IsSet("gate"), Messages: ctx.Bool("messages"),
	}
	switch {
	case options.Records && ctx.NArg() != 1:
		return usagef("--gate takes one file, and was given %d", ctx.NArg())
	case !options.Records && ctx.Bool("add"), !ctx.Bool("add") && ctx.IsSet("override"):
		return usagef("--add needs --gate FILE, and --override needs both")
	}
	var s *score.Score
	read := func(within context.Context, open runner.Arm) (err error) {
		options.Extractor, options.Verifier, options.Judge = open.Extractor, open.Verifier, open.Correctness
		s, err = score.Files(within, ctx.Args().Slice(), c.in, options, how.Options)
		return orOther(err, ctx.Args().First(), "score", "recorded answers as JSONL")
	}
	var err error
	of := assemble.Questioners{Extractor: ctx.String("extractor"), Verifier: ctx.String("verify"), Correctness: ctx.String("judge")}
	if of == (assemble.Questioners{}) {
		err = read(ctx.Context, runner.Arm{})
	} else {
		conf, wrong := c.configuration(ctx, "")
		if wrong != nil {
			return wrong
		}
		options.Parallel = conf.Limits.Traces()
		err = c.assembler.WithJudges(ctx.Context, conf, of, read)
	}
	if err != nil {
		return err
	}
	if options.Records {
		return c.gateScore(ctx, o, s)
	}
	return o.write(func() error { return reports.Score(o, reports.Format(o.format), s, how.options(o)) })
}

// gateScore decides on recorded answers, and accepts them where that is asked for.
func (c *console) gateScore(ctx *cli.Context, o *output, s *score.Score) error {
	written := time.Now()
	if info, err := os.Stat(ctx.Args().First()); err == nil { // else standard input
		written = info.ModTime()
	}
	file, adding := ctx.String("gate"), ctx.Bool("add")
	if err := checkOutputs(ctx, file); err != nil {
		return err
	}
	pass, data := s.Pass(written)
	b := &baseline.Baseline{}
	if _, err := os.Stat(file); err == nil {
		if b, err = baseline.Read(file); err != nil {
			return err
		}
	} else if !adding {
		return usagef("read baseline: %w; begin one with `concur score FILE --gate %s --add`", err, file)
	}
	of := confirm.Case{Pass: pass, Data: data, Baseline: b}
	if err := of.Prepare(); err != nil {
		return usagef("gate %s: %w", s.File, err)
	}
	of.Evidence.Retry = "a new recording"
	out := gate.Decide(of.Evidence, gate.Options{Alpha: gate.DefaultAlpha, AnswersOnly: true})
	report := reports.GateOf(of, nil, out)
	report.Baseline, report.Explain = file, ctx.Bool("explain")
	if err := o.write(func() error { return reports.WriteGate(o, reports.Format(o.format), report, o.screen(false)) }); err != nil {
		return err
	}
	if !adding {
		return decided(report)
	}
	candidate := baseline.Candidate{Pass: pass, Decision: out.Decision, Bootstrap: out.Bootstrap}
	b, err := c.accept(ctx, file, candidate, data)
	if err != nil {
		return &exitError{cmp.Or(out.Decision.ExitCode(), exitUsage), err}
	}
	_, err = fmt.Fprintf(c.err, "accepted %s into %s, which has %s of answers graded %s\n", pass.Manifest.Run, file,
		text.Counted(len(b.Counting(pass.Configuration.Name)), "recording"), pass.Configuration.Name)
	return err
}

// chosen gives the records of the chosen configurations of a run, and agentsOf it.
func chosen(ctx *cli.Context, run *store.Run) ([]store.Record, map[string][]string, error) {
	of, err := agentsOf(ctx, run.Manifest)
	if err != nil {
		return nil, nil, err
	}
	records, err := run.Sorted()
	return slices.DeleteFunc(records, func(r store.Record) bool { return !slices.Contains(of[r.Agent], r.Configuration) }), of, err
}

// agentsOf gives for each agent those of the chosen configurations that share it.
func agentsOf(ctx *cli.Context, m store.Manifest) (map[string][]string, error) {
	of := map[string][]string{}
	var known []string
	name := result.Named(m, ctx.String(flagConfiguration))
	for _, c := range m.Configurations {
		known = append(known, c.Name)
		if name == "" || name == c.Name {
			of[c.Agent] = append(of[c.Agent], c.Name)
		}
	}
	if len(of) == 0 {
		return nil, usagef("run %s has no configuration %q; it has %s", m.Run, ctx.String(flagConfiguration), strings.Join(known, ", "))
	}
	return of, nil
}

func queriesOf(records []store.Record) string {
	names := make([]string, len(records))
	for i, r := range records {
		names[i] = r.Query
	}
	return cmp.Or(text.ListedUpTo(60, names), "none that is decided")
}
