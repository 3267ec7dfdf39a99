package gatereport

import (
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/ablations/gate"
	"github.com/seed-5817661a/concur/reports/document"
	"github.com/seed-5817661a/concur/reports/sending"
)

// Limits that keep a gate's page below the maximum size of a comment on a pull request.
const (
	maxQueries = 15 // queries that are shown
	maxReasons = 10
	maxNames   = 8 // in a sentence
	maxName    = 60
)

// verdict returns the decision and its reasons. The reason that decides comes first. Reasons that a finding
// repeats are left out.
func verdict(g Report) (decision document.RichText, sentences []document.RichText) {
	decision = document.Plain("no decision")
	if g.Decision != "" {
		var as document.RichText
		if g.As != "" {
			as = document.Phrase(", asked as %s", document.Quoted(g.As))
		}
		decision = document.Phrase("%s (exit code %d%s)%s", document.Mixed(string(g.Decision)), g.Decision.ExitCode(), as,
			g.powerRemark())
	}
	var reasons []string
	for i, r := range g.Reasons {
		shown := slices.ContainsFunc(g.Queries, func(q Query) bool {
			return g.namesQuery(q) && (strings.HasPrefix(r, q.Query+" is broken: ") ||
				strings.HasPrefix(r, q.Query+" must be refused "))
		})
		if i == 0 || !shown {
			reasons = append(reasons, r)
		}
	}
	if sentences = limitSentences(reasons, maxReasons+1, "reasons"); len(sentences) == 0 {
		sentences = []document.RichText{document.Plain("no reason is given")}
	}
	return decision, sentences
}

// verdictLines returns the decision with the deciding sentence and the other reasons; for a PASS also its power.
func verdictLines(g Report) []document.RichText {
	decision, sentences := verdict(g)
	sentences[0] = document.Phrase("%s: %s", decision, sentences[0])
	if g.Decision == gate.Pass {
		return slices.Concat(sentences, g.powerLines(), g.warnings())
	}
	return sentences
}

// warnings returns the first warnings.
func (g Report) warnings() (out []document.RichText) {
	for _, w := range limitSentences(g.Warnings, maxReasons, "warnings") {
		out = append(out, document.Phrase("warning: %s", w))
	}
	return out
}

// adviceLines returns the lines after the findings, unless it is a PASS: the differences of the run, and advice.
func adviceLines(g Report) (out []document.RichText) {
	if g.Decision == gate.Pass {
		return nil
	}
	out = g.clusterLines()
	if len(g.Differs) > 0 {
		out = append(out, differenceLine(g))
	}
	what := document.Plain("details: --explain")
	if g.Decision.Alarm() && !g.AnswersOnly {
		what = document.Phrase("next: fix the agent and run again; if the change is intended or the alarm is false: "+
			`concur baseline add %s --override "reason"; details: --explain`, quoteName(g.Run))
	}
	return slices.Concat(out, []document.RichText{what}, g.warnings())
}

func differenceLine(g Report) document.RichText {
	names := listNames(g.Differs, "; ", func(s string) document.RichText {
		return document.Mixed(document.Shorten(s, 4*maxName))
	})
	return document.Phrase("differs from the accepted runs in %s", names)
}

// limitSentences returns the first sentences, and the number of those left out.
func limitSentences(sentences []string, most int, what string) []document.RichText {
	var out []document.RichText
	for _, s := range sentences[:min(len(sentences), most)] {
		out = append(out, document.Mixed(s))
	}
	if more := len(sentences) - most; more > 0 {
		out = append(out, document.Phrase("%d more %s are in gate.json", more, what))
	}
	return out
}

// listNames lists quoted names, each with a description.
func listNames[T any](items []T, separator string, of func(T) document.RichText) document.RichText {
	var out document.RichText
	for i, item := range items[:min(len(items), maxNames)] {
		if i > 0 {
			out = document.Concat(out, document.Plain(separator))
		}
		out = document.Concat(out, of(item))
	}
	if more := len(items) - maxNames; more > 0 {
		out = document.Phrase("%s%s%d more in gate.json", out, separator, more)
	}
	return out
}

// quoteName quotes a name, cut to the length that fits into a sentence.
func quoteName(name string) document.RichText {
	return document.Quoted(document.Shorten(name, maxName))
}

// finding is what is shown of a query that led to the decision. Lines about several queries have no query.
type finding struct {
	query string
	lines []document.RichText
}

// findings returns the findings, in the order of the queries. The last finding has the queries that fell most.
// A PASS has no findings.
func findings(g Report) (out []finding) {
	queries := g.namedQueries()
	fell := false
	for _, q := range queries[:min(len(queries), maxQueries)] {
		if q.Status == StatusLost && !fell {
			fell = true
			out = append(out, finding{lines: []document.RichText{document.Plain(
				"the queries that fell most, which is a hint and not a test:")}})
		}
		out = append(out, finding{q.Query, q.describe(g)})
	}
	if more := len(queries) - maxQueries; more > 0 {
		out = append(out, finding{lines: []document.RichText{document.Phrase("and %d more, which are in gate.json", more)}})
	}
	return out
}

// belowDecision returns the parts below the decision, in order.
func belowDecision(g Report) []document.Section {
	var lines []document.RichText
	for _, f := range findings(g) {
		lines = append(lines, f.lines...)
	}
	parts := append([]document.Section{{Lines: lines}}, g.requests()...)
	return document.WithoutEmpty(append(parts, document.Section{Lines: adviceLines(g)})...)
}

// requests returns the differences between what the run and the accepted run sent. A PASS shows them only with the
// figures behind the decision.
func (g Report) requests() []document.Section {
	if g.Decision == gate.Pass && !g.Explain {
		return nil
	}
	return sending.Sections(g.Sent, g.Differs, g.Names())
}

// Names returns the names of the two runs whose requests are compared.
func (g Report) Names() sending.Names {
	was := document.Phrase("the accepted run %s", quoteName(g.SentRun))
	return sending.Names{Was: was, Now: document.Plain("This run")}
}

// namedQueries returns the queries that the decision names, and last those that fell most.
func (g Report) namedQueries() []Query {
	var named, fell []Query
	for _, q := range g.Queries {
		switch {
		case !g.namesQuery(q):
		case q.Status == StatusLost:
			fell = append(fell, q)
		default:
			named = append(named, q)
		}
	}
	return append(named, fell...)
}

// namesQuery reports whether the decision names the query.
func (g Report) namesQuery(q Query) bool {
	return g.Decision != gate.Pass &&
		slices.Contains([]string{StatusBroken, StatusSafety, StatusSuspect, StatusLost}, q.Status)
}

// describe returns how often the query was right, its answers before and now, and the command to look at it.
func (q Query) describe(g Report) []document.RichText {
	var category, status, fresh, expected document.RichText
	if q.Category != "" {
		category = document.Phrase(" (%s)", quoteName(q.Category))
	}
	if q.Status != StatusLost { // findings says it once for all of them
		status = document.Phrase("%s, ", q.Status)
	}
	if q.Fresh.All() > 0 {
		fresh = document.Phrase(", %s fresh", q.Fresh)
	}
	if q.Expected != "" && !(len(q.AnswersBefore) > 0 && q.AnswersBefore[0].Right) {
		expected = document.Phrase("expected %s; ", document.Quoted(document.Shorten(q.Expected, document.MaxAnswer)))
	}
	return []document.RichText{
		document.Phrase("%s%s: %s%s right before → %s in the run%s", quoteName(q.Query), category, status, q.Before,
			q.Now, fresh),
		document.Phrase("  %s%s → %s%s", expected, document.ListAnswers(q.AnswersBefore),
			document.ListAnswers(q.answers()), q.lookCommand(g)),
	}
}

// lookCommand returns the command that shows the query's traces or, if there is a right and a wrong trace, the
// first difference between the two. It returns nil if there are no traces.
func (q Query) lookCommand(g Report) document.RichText {
	if g.AnswersOnly {
		return nil
	}
	run := g.Run
	for _, p := range q.Passes {
		if run = p.Run; p.Diff != "" {
			return document.Phrase("; where traces part: concur trace %s %s --diff %s", quoteName(run), quoteName(q.Query),
				p.Diff)
		}
	}
	return document.Phrase("; look: concur trace %s %s", quoteName(run), quoteName(q.Query))
}

// answers counts the answers of the run and of its fresh traces together.
func (q Query) answers() (out []document.AnswerCount) {
	for _, p := range q.Passes {
		for _, a := range p.Answers {
			if i := slices.IndexFunc(out, func(o document.AnswerCount) bool { return o.Answer == a.Answer }); i >= 0 {
				out[i].Count += a.Count
			} else {
				out = append(out, a)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b document.AnswerCount) int { return b.Count - a.Count })
	return out
}

// joinLines returns lines as a text.
func joinLines(lines []document.RichText) string { return strings.Join(cleanLines(lines), "\n") }

// cleanLines returns lines that are safe for a terminal, without their indent.
func cleanLines(lines []document.RichText) (out []string) {
	for _, l := range lines {
		out = append(out, strings.TrimSpace(document.Clean(l.String())))
	}
	return out
}
