package main

import (
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
	"golang.org/x/term"

	"github.com/seed-5817661a/concur/internal/assemble"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/reports"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/trace"
)

// progress tells of a run as it goes: into run.log in full, and on standard error a bar
// on a terminal, a line per query elsewhere, nothing with --quiet. Its methods are
// called one at a time.
type progress struct {
	file     *slog.Logger // run.log
	console  *slog.Logger
	bars     *mpb.Progress // nil without a terminal
	bar      *mpb.Bar
	records  int  // that there are in the end, one for each query and configuration
	before   int  // records that an earlier session has made
	several  bool // configurations
	verdicts map[judge.Ruling]int
	dir      string
	err      io.Writer
}

func (c *console) newProgress(out *store.Writer, p *assemble.Session, prior *store.Prior, quiet bool) *progress {
	missing := 0
	for _, q := range p.Dataset.Queries {
		for _, n := range p.Missing(prior, q.ID) {
			missing += n
		}
	}
	g := &progress{
		file:    reports.NewLog(out.Log(), "2006-01-02 15:04:05.000", slog.LevelDebug),
		console: slog.New(slog.DiscardHandler),
		records: len(p.Dataset.Queries) * len(p.Arms), several: len(p.Arms) > 1,
		verdicts: map[judge.Ruling]int{}, dir: out.Dir(), err: c.err,
	}
	going := "run"
	if prior != nil {
		g.before = prior.Queries()
		going = fmt.Sprintf("go on with %d queries decided and %d traces of others finished: run", g.before, prior.Traces())
	}
	switch {
	case quiet:
	case isTerminal(c.err):
		g.bars = mpb.New(mpb.WithOutput(c.err), mpb.WithWidth(40))
		g.bar = g.bars.AddBar(int64(missing),
			mpb.BarRemoveOnComplete(),
			mpb.PrependDecorators(decor.Any(func(decor.Statistics) string { return p.Dataset.Name + " " })),
			mpb.AppendDecorators(decor.CountersNoUnit(" %d / %d traces"), decor.Elapsed(decor.ET_STYLE_GO, decor.WC{W: 6})),
		)
	default:
		g.console = reports.NewLog(c.err, "", slog.LevelInfo)
	}
	g.file.Info(fmt.Sprintf("%s %s: %s of %s, seed %d", going, p.Draft.Manifest.Run, counted(len(p.Dataset.Queries), "query", "queries"), p.Dataset.Name, p.Seed))
	for _, a := range p.Arms {
		conf := a.Configuration
		g.file.Info(fmt.Sprintf("configuration %s: K=%d, model %s, tools %s, agent %s", conf.Name, conf.K, reports.ModelKind(conf.Model), strings.Join(conf.Agent.Tools, " "), a.AgentHash))
	}
	what := fmt.Sprintf("K=%d, %s", p.Draft.First().K, reports.ModelKind(p.Draft.First().Model))
	if g.several {
		what = fmt.Sprintf("%d configurations, %d traces", len(p.Arms), missing)
	}
	g.console.Info(fmt.Sprintf("%s: %s of %s, %s, into %s", going, counted(len(p.Dataset.Queries), "query", "queries"), p.Dataset.Name, what, g.dir))
	return g
}

// say tells the person something that cannot wait. While a bar is drawn it goes above it.
func (g *progress) say(text string) {
	g.file.Warn(text)
	w := g.err
	if g.bars != nil {
		w = g.bars
	}
	// There is nobody left to tell if this fails; run.log has it.
	fmt.Fprintln(w, "concur: "+text)
}

// waits tells what is waited for. It may be called at any time.
func (g *progress) waits(text string) {
	g.file.Warn(text)
	g.console.Warn(text)
	if g.bars != nil {
		fmt.Fprintln(g.bars, "concur: "+text) // run.log has it too
	}
}

// note writes into run.log alone. It may be called at any time.
func (g *progress) note(text string) { g.file.Info(text) }

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

func (g *progress) trace(t trace.Trace) {
	end := string(t.Outcome)
	if t.Outcome == trace.Answered {
		end += fmt.Sprintf(" %q", t.Answer)
	}
	line := fmt.Sprintf("trace  %s/%d  %s, %s after %d steps and %d tool calls", t.Query, t.Trace, end, t.StopReason, t.Steps, t.ToolCalls)
	if t.Cause == "" {
		g.file.Info(line)
	} else {
		g.file.Warn(line, "cause", t.Cause)
	}
	if g.bar != nil {
		g.bar.Increment()
	}
}

func (g *progress) record(r store.Record) {
	g.verdicts[r.Verdict.Verdict]++
	agreed := ""
	if len(r.Consensus.Votes) > 0 {
		agreed = fmt.Sprintf(" %d/%d", len(r.Consensus.Votes[0].Traces), len(r.Answers))
	}
	of := r.Query
	if g.several {
		of += "  " + r.Configuration
	}
	line := fmt.Sprintf("query  %s  %s%s  %s  %s: %s", of, r.Consensus.Method, agreed, reports.Decided(r), r.Verdict.Verdict, r.Verdict.Reason)
	g.file.Info(line)
	for _, trouble := range r.Troubles() {
		g.file.Warn(fmt.Sprintf("query  %s  %s", of, trouble))
	}
	done := g.before + g.verdicts[judge.Correct] + g.verdicts[judge.Incorrect] + g.verdicts[judge.Unscored]
	g.console.Info(fmt.Sprintf("%d/%d  %s", done, g.records, line))
}

// end takes the bar away and says how the run ended.
func (g *progress) end(err error) {
	if g.bar != nil {
		g.bar.Abort(true)
		g.bars.Wait()
	}
	line := fmt.Sprintf("end: %d correct, %d incorrect, %d unscored of %d queries",
		g.verdicts[judge.Correct], g.verdicts[judge.Incorrect], g.verdicts[judge.Unscored], g.records)
	if g.before > 0 {
		line += fmt.Sprintf("; %d were decided before", g.before)
	}
	if err != nil {
		g.file.Error(line, "error", err)
		return
	}
	g.file.Info(line)
}
