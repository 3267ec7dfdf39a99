package reports

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-5817661a/concur/ablations/baseline"
	"github.com/seed-5817661a/concur/ablations/gate"
	"github.com/seed-5817661a/concur/runner/config"
)

// A gate's page stays below what a comment on a pull request may hold, however many queries break.
const (
	mostGateRows    = 15 // queries that are shown
	mostGateReasons = 10
	mostGateNames   = 8 // in a sentence
	mostGateAnswers = 3 // of a query
	maxGateName     = 60
)

// verdict is the decision, with the sentence that decided, in what the run differs, and the other reasons.
func verdict(g Gate) (decision line, sentences []line) {
	decision = plain("no decision")
	if g.Decision != "" {
		decision = blend(fmt.Sprintf("%s (exit code %d)", g.Decision, g.Decision.ExitCode()))
	}
	if sentences = few(g.Reasons, mostGateReasons+1, "reasons"); len(sentences) == 0 {
		sentences = []line{plain("no reason is given")}
	}
	if len(g.Differs) > 0 {
		differs := say(plain("differs from the accepted runs in "), names(g.Differs, "; ", func(s string) line { return blend(clip(s, 4*maxGateName)) }))
		sentences = slices.Insert(sentences, 1, differs)
	}
	return decision, sentences
}

// verdictLines begin with the decision and the sentence that decided.
func verdictLines(g Gate) []line {
	decision, sentences := verdict(g)
	sentences[0] = say(decision, plain(": "), sentences[0])
	return sentences
}

// few are the first sentences, and how many more there are.
func few(sentences []string, most int, what string) []line {
	var out []line
	for _, s := range sentences[:min(len(sentences), most)] {
		out = append(out, blend(s))
	}
	if more := len(sentences) - most; more > 0 {
		out = append(out, plain(fmt.Sprintf("%d more %s are in gate.json", more, what)))
	}
	return out
}

// names lists what others named, with something about each.
func names[T any](items []T, separator string, of func(T) line) line {
	var out line
	for i, item := range items[:min(len(items), mostGateNames)] {
		if i > 0 {
			out = say(out, plain(separator))
		}
		out = say(out, of(item))
	}
	if more := len(items) - mostGateNames; more > 0 {
		out = say(out, plain(fmt.Sprintf("%s%d more in gate.json", separator, more)))
	}
	return out
}

// brief is a name of others in as many characters as a sentence can bear.
func brief(name string) line { return quoted(clip(name, maxGateName)) }

// findings are the queries that the decision rests on; none for a PASS.
func findings(g Gate) []part {
	var out []part
	more := 0
	for _, q := range g.Queries {
		switch {
		case !g.restsOn(q):
		case len(out) < mostGateRows:
			out = append(out, part{lines: q.lines(g)})
		default:
			more++
		}
	}
	if more > 0 {
		out = append(out, part{lines: []line{plain(fmt.Sprintf("and %d more, which are in gate.json", more))}})
	}
	return out
}

// restsOn reports whether the decision names the query.
func (g Gate) restsOn(q GateQuery) bool {
	return g.Decision != gate.Pass && slices.Contains([]string{GateBroken, GateSafety, GateSuspect, GateLost}, q.Status)
}

// lines say what was expected of the query, what it answered in each pass, and how to look.
func (q GateQuery) lines(g Gate) []line {
	run := g.Run
	head := brief(q.Query)
	if q.Category != "" {
		head = say(head, plain(" ("), brief(q.Category), plain(")"))
	}
	out := []line{say(head, plain(": "+q.Status))}
	if q.Expected != "" {
		out = append(out, say(plain("  expected: "), quoted(clip(q.Expected, maxAnswer))))
	}
	out = append(out, say(plain("  before: "+q.Before.String()+" right; "), answers(q.AnswersBefore)))
	for _, p := range q.Passes {
		run = p.Run
		out = append(out, say(plain("  in "), brief(p.Run), plain(": "+p.Traces.String()+" right; "), answers(p.Answers)))
	}
	if g.AnswersOnly {
		return out
	}
	return append(out, say(plain("  look: concur trace "), brief(run), plain(" "), brief(q.Query)))
}

// answers are the most frequent ones, with the number of traces that gave each.
func answers(all []AnswerCount) line {
	out := plain("no answers")
	for i, a := range all[:min(len(all), mostGateAnswers)] {
		text := quoted(cmp.Or(clip(a.Answer, maxAnswer), `""`))
		if a.Count > 1 {
			text = say(text, plain(fmt.Sprintf(" ×%d", a.Count)))
		}
		if out = say(out, plain("; "), text); i == 0 {
			out = text
		}
	}
	if more := len(all) - mostGateAnswers; more > 0 {
		out = say(out, plain(fmt.Sprintf("; %d more", more)))
	}
	return out
}

// joined is a text of several lines.
func joined(lines []line) string { return strings.Join(cleanLines(lines), "\n") }

// cleanLines are lines fit for a terminal, without their indent.
func cleanLines(lines []line) (out []string) {
	for _, l := range lines {
		out = append(out, strings.TrimSpace(Clean(l.String())))
	}
	return out
}

// GateWords are a decision in words, as text and Markdown have them, for a page.
type GateWords struct {
	Decision string   // with the sentence that decided
	Reasons  []string // the others
	Findings [][]string
	Grounds  []Fact // what was compared
}

// Fact is a name with its value.
type Fact struct{ Name, Value string }

// Words gives them.
func (g Gate) Words() GateWords {
	lines := cleanLines(verdictLines(g))
	out := GateWords{Decision: lines[0], Reasons: lines[1:]}
	for _, p := range findings(g) {
		out.Findings = append(out.Findings, cleanLines(p.lines))
	}
	for _, f := range grounds(g) {
		out.Grounds = append(out.Grounds, Fact{f.label, Clean(f.text.String())})
	}
	return out
}

// Baseline is what a baseline file holds of a configuration.
type Baseline struct {
	Schema        string        `json:"schema"` // concur/baseline-summary/v2
	File          string        `json:"file"`
	Configuration string        `json:"configuration"`
	Runs          []BaselineRun `json:"runs"`    // those that count, the oldest first
	Queries       []gate.Item   `json:"queries"` // over the runs of the pool
	Phi           *gate.Phi     `json:"phi"`
	Concordance   *float64      `json:"concordance_p"`
	Overrides     []string      `json:"overrides"` // of runs of the pool, and its last reset
	Warnings      []string      `json:"warnings"`
}

// BaselineRun is an accepted run.
type BaselineRun struct {
	baseline.AcceptedRun
	Pool   bool        `json:"pool"` // a run is compared with it
	Traces gate.Traces `json:"traces"`
}

// BaselineOf gathers it. Pool and evidence are those of one configuration.
func BaselineOf(file string, b *baseline.Baseline, pool baseline.Pool, e gate.Evidence) Baseline {
	out := Baseline{
		Schema: "concur/baseline-summary/v2", File: file, Configuration: pool.Configuration, Runs: []BaselineRun{},
		Queries: append([]gate.Item{}, e.Items...), Phi: e.Phi, Concordance: e.Concordance, Overrides: append([]string{}, e.Overrides...), Warnings: append([]string{}, e.Warnings...),
	}
	counting := b.Counting(pool.Configuration)
	for i, r := range counting {
		row := BaselineRun{AcceptedRun: r, Pool: i >= len(counting)-len(pool.Runs)}
		for _, q := range r.Queries {
			row.Traces = row.Traces.Plus(q.Count())
		}
		out.Runs = append(out.Runs, row)
	}
	return out
}

// WriteBaseline writes it as a table or as JSON.
func WriteBaseline(w io.Writer, f Format, b Baseline, s Screen) error {
	if f == FormatJSON {
		return JSON(w, b)
	}
	runs := []figure[BaselineRun]{
		word("run", func(r BaselineRun) line { return quoted(r.Run) }),
		word("compared\nwith", func(r BaselineRun) line { return plain(map[bool]string{true: "yes", false: "no longer"}[r.Pool]) }),
		count("seed", func(r BaselineRun) string { return strconv.FormatInt(r.Seed, 10) }),
		count("correct", func(r BaselineRun) string { return fmt.Sprintf("%d/%d", r.Correct, r.Dataset.Queries) }),
		count("right\ntraces", func(r BaselineRun) string { return r.Traces.String() }),
		word("gate", func(r BaselineRun) line {
			if r.Decision == nil {
				return plain("by hand")
			}
			return quoted(string(*r.Decision))
		}),
	}
	queries := []figure[gate.Item]{
		word("query", func(q gate.Item) line { return quoted(q.Query) }),
		word("category", func(q gate.Item) line { return quoted(q.Category) }),
		count("right\ntraces", func(q gate.Item) string { return q.History.String() }),
		word("rule", func(q gate.Item) line {
			switch {
			case q.Safety:
				return plain("safety: no failure is allowed")
			case !q.Gated():
				return plain(fmt.Sprintf("not gated yet (%d of 4 traces, %d of 2 runs)", q.History.Scored(), q.Runs))
			}
			return nil
		}),
	}
	lines := []line{quoted(b.File)}
	if b.Configuration != config.DefaultName {
		lines = []line{say(plain("configuration "), quoted(b.Configuration), plain(" of "), quoted(b.File))}
	}
	if b.Phi != nil {
		lines = append(lines, plain(fmt.Sprintf("runs differ by %.1f times what their traces would (phi, 95 %% [%.1f, %.1f])", b.Phi.Value, b.Phi.Low, b.Phi.High)))
	}
	for _, override := range b.Overrides {
		lines = append(lines, say(plain("override: "), blend(override)))
	}
	for _, warning := range b.Warnings {
		lines = append(lines, say(plain("warning: "), blend(warning)))
	}
	return s.write(w, document{
		details:  []part{{table: tabulate(nil, queries, b.Queries)}},
		headline: []part{{table: tabulate(nil, runs, b.Runs)}, {lines: lines}},
	})
}
