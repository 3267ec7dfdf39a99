package reports

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/ablations/baseline"
	"github.com/seed-5817661a/concur/ablations/gate"
	"github.com/seed-5817661a/concur/internal/text"
)

// Limits that keep a gate's page below the maximum size of a comment on a pull request.
const (
	mostGateRows    = 15 // queries that are shown
	mostGateReasons = 10
	mostGateNames   = 8 // in a sentence
	mostGateAnswers = 3 // of a query
	maxGateName     = 60
)

// verdict returns the decision and its reasons, the deciding one first, without others that a finding repeats.
func verdict(g Gate) (decision line, sentences []line) {
	decision = plain("no decision")
	if g.Decision != "" {
		decision = blend(fmt.Sprintf("%s (exit code %d", g.Decision, g.Decision.ExitCode()))
		if g.As != "" {
			decision = say(decision, plain(", asked as "), quoted(g.As))
		}
		decision = say(decision, plain(")"), plain(g.blind()))
	}
	var reasons []string
	for i, r := range g.Reasons {
		shown := slices.ContainsFunc(g.Queries, func(q GateQuery) bool {
			return g.restsOn(q) && (strings.HasPrefix(r, q.Query+" is broken: ") ||
				strings.HasPrefix(r, q.Query+" must be refused "))
		})
		if i == 0 || !shown {
			reasons = append(reasons, r)
		}
	}
	if sentences = few(reasons, mostGateReasons+1, "reasons"); len(sentences) == 0 {
		sentences = []line{plain("no reason is given")}
	}
	return decision, sentences
}

// verdictLines returns the decision with the deciding sentence and the other reasons; for a PASS also its power.
func verdictLines(g Gate) []line {
	decision, sentences := verdict(g)
	sentences[0] = say(decision, plain(": "), sentences[0])
	if g.Decision == gate.Pass {
		return slices.Concat(sentences, g.worth(), g.warnings())
	}
	return sentences
}

// warnings returns the first warnings.
func (g Gate) warnings() (out []line) {
	for _, w := range few(g.Warnings, mostGateReasons, "warnings") {
		out = append(out, say(plain("warning: "), w))
	}
	return out
}

// rest returns the lines after the findings, unless it is a PASS: the differences of the run, and advice.
func rest(g Gate) (out []line) {
	if g.Decision == gate.Pass {
		return nil
	}
	out = g.together()
	if len(g.Differs) > 0 {
		out = append(out, differs(g))
	}
	what := plain("for more: --explain")
	if g.Decision.Alarm() && !g.AnswersOnly {
		what = say(plain("what to do: mend the agent and run again; where the change is meant, or the alarm is false: "+
			"concur baseline add "), brief(g.Run),
			plain(` --override "reason"; for more: --explain`))
	}
	return slices.Concat(out, []line{what}, g.warnings())
}

func differs(g Gate) line {
	return say(plain("differs from the accepted runs in "), names(g.Differs, "; "+
		"", func(s string) line { return blend(clip(s, 4*maxGateName)) }))
}

// few returns the first sentences, and the number of those left out.
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

// names lists quoted names, each with a description.
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

// brief quotes a name, cut to the length that fits into a sentence.
func brief(name string) line { return quoted(clip(name, maxGateName)) }

// findings returns the queries that led to the decision, with two lines for each; none for a PASS.
func findings(g Gate) []part {
	var out []part
	queries := g.restOn()
	for _, q := range queries[:min(len(queries), mostGateRows)] {
		out = append(out, part{lines: q.lines(g)})
	}
	if more := len(queries) - mostGateRows; more > 0 {
		out = append(out, part{lines: []line{plain(fmt.Sprintf("and %d more, which are in gate.json", more))}})
	}
	return out
}

// body returns the parts below the decision, in order.
func body(g Gate) []part {
	var lines []line
	for _, p := range findings(g) {
		lines = append(lines, p.lines...)
	}
	return filled(part{lines: lines}, part{lines: rest(g)})
}

// restOn returns the queries that the decision names.
func (g Gate) restOn() []GateQuery {
	return slices.DeleteFunc(slices.Clone(g.Queries), func(q GateQuery) bool { return !g.restsOn(q) })
}

// restsOn reports whether the decision names the query.
func (g Gate) restsOn(q GateQuery) bool {
	return g.Decision != gate.Pass && slices.Contains([]string{GateBroken, GateSafety, GateSuspect, GateLost}, q.Status)
}

// lines returns how often the query was right, its answers before and now, and the command to look at it.
func (q GateQuery) lines(g Gate) []line {
	head := brief(q.Query)
	if q.Category != "" {
		head = say(head, plain(" ("), brief(q.Category), plain(")"))
	}
	counts := fmt.Sprintf(": %s, %s right before → %s in the run", q.Status, q.Before, q.Now)
	if q.Fresh.All() > 0 {
		counts += fmt.Sprintf(", %s fresh", q.Fresh)
	}
	second := say(plain("  "), answers(q.AnswersBefore), plain(" → "), answers(q.answers()))
	if q.Expected != "" && !(len(q.AnswersBefore) > 0 && q.AnswersBefore[0].Right) {
		second = say(plain("  expected "), quoted(clip(q.Expected, maxAnswer)), plain("; "), second[1:])
	}
	if g.AnswersOnly {
		return []line{say(head, plain(counts)), second}
	}
	run, what, diff := g.Run, "; look: concur trace ", ""
	for _, p := range q.Passes {
		if run = p.Run; p.Diff != "" {
			what, diff = "; where traces part: concur trace ", " --diff "+p.Diff
			break
		}
	}
	return []line{say(head, plain(counts)), say(second, plain(what), brief(run), plain(" "), brief(q.Query), plain(diff))}
}

// answers counts the answers of the run and of its fresh traces together.
func (q GateQuery) answers() (out []AnswerCount) {
	for _, p := range q.Passes {
		for _, a := range p.Answers {
			if i := slices.IndexFunc(out, func(o AnswerCount) bool { return o.Answer == a.Answer }); i >= 0 {
				out[i].Count += a.Count
			} else {
				out = append(out, a)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b AnswerCount) int { return b.Count - a.Count })
	return out
}

// answers lists the most frequent answers, each with the number of traces that gave it.
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

// joined returns lines as a text.
func joined(lines []line) string { return strings.Join(cleanLines(lines), "\n") }

// cleanLines returns lines that are safe for a terminal, without their indent.
func cleanLines(lines []line) (out []string) {
	for _, l := range lines {
		out = append(out, strings.TrimSpace(Clean(l.String())))
	}
	return out
}

// Below these chances of detecting a query that breaks, or falls to half, a gate has little power.
const (
	seesBroken = .8
	seesHalf   = .1
)

// chance returns the simulated chance that the gate detects one steady query that falls to this rate.
func (g Gate) chance(to float64) (p float64, known bool) {
	if g.Operating == nil {
		return 0, false
	}
	for _, s := range g.Operating.Changes {
		if s.Broken == 1 && !s.Flaky && s.To == to {
			return s.Found.Found.Value, true
		}
	}
	return 0, false
}

// blind returns advice for a PASS with little power; "" if the power is sufficient or unknown.
func (g Gate) blind() string {
	broken, known := g.chance(gate.BrokenTo)
	half, _ := g.chance(.5)
	if g.Decision != gate.Pass || g.Rolling == nil || !g.Rolling.Powerless() &&
		(!known || broken >= seesBroken && half >= seesHalf) {
		return ""
	}
	if more := baseline.PoolRuns(g.K) - g.History.Runs; more > 0 {
		return ", but it can see little yet: accept " + text.Counted(more, "more run")
	}
	return ", but it can see little: take more traces of each query (-k)"
}

// worth describes the power of a PASS: the traces that it watched, the losses that it would detect and miss,
// and how to get more power.
func (g Gate) worth() []line {
	traces := 0
	for _, q := range g.Queries {
		traces += q.Now.All() + q.Fresh.All()
	}
	watched := text.Counted(len(g.Queries), "query")
	if n := len(g.NotGated); n > 0 {
		watched = fmt.Sprintf("%d of %s (%d not yet)", len(g.Queries)-n, watched, n)
	}
	history := fmt.Sprint(g.History.Most)
	if g.History.Least != g.History.Most {
		history = fmt.Sprintf("%d to %d", g.History.Least, g.History.Most)
	}
	out := []line{plain(fmt.Sprintf("watched %s, %s; before: %s of each in %s", watched, text.Counted(traces, "trace"),
		history, text.Counted(g.History.Runs, "accepted run")))}
	broken, known := g.chance(gate.BrokenTo)
	half, _ := g.chance(.5)
	switch {
	case !known:
		out = append(out, plain("what it would notice and miss was not simulated: concur gate simulate does it"))
	default:
		out = append(out, plain(fmt.Sprintf("would notice a broken query in %s, one that falls to half in %s",
			inRuns(broken), inRuns(half))))
		miss := "would miss a loss spread over all queries in more than 1 of 5"
		if g.Operating.MDE != nil {
			miss = fmt.Sprintf("would miss a loss of %.1f points overall in 1 of 5, smaller ones more often",
				*g.Operating.MDE*100)
		}
		out = append(out, plain(miss))
	}
	more := "to see more: accept more runs (concur baseline add), raise K; see --explain"
	if g.AnswersOnly {
		more = "to see more: accept more recordings (--add), take more answers; see --explain"
	}
	return append(out, plain(more))
}

// inRuns formats a chance, rounded down.
func inRuns(p float64) string {
	switch {
	case p >= .9:
		return fmt.Sprintf("%.0f of 100", math.Floor(min(p, .99)*100+1e-9))
	case p >= .1:
		return fmt.Sprintf("%.0f of 10", math.Floor(p*10+1e-9))
	case p >= .01:
		return fmt.Sprintf("%.0f of 100", math.Floor(p*100+1e-9))
	}
	return "almost none"
}
