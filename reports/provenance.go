package reports

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/reports/document"
	"github.com/seed-5817661a/concur/reports/figures"
	"github.com/seed-5817661a/concur/reports/judging"
	"github.com/seed-5817661a/concur/runner/store"
)

// origins returns lines with the run, dataset and models of the figures, and the settings that all rows share.
func origins(r *result.Result, rows []tableRow, n *notes) []document.RichText {
	var common []document.RichText
	if len(rows) > 0 && alike(rows, agentOf) {
		common = append(common, n.describeAgent(rows[0].Configuration))
	}
	if len(rows) > 0 && alike(rows, func(r tableRow) int { return r.K }) {
		common = append(common, document.Plain(fmt.Sprintf("K=%d", rows[0].K)))
	}
	if len(r.Runs) > 0 {
		var out []document.RichText
		for _, run := range r.Runs {
			out = append(
				out,
				document.Concat(document.Quoted(run.Label), document.Plain(": "), describeRun(run.Dataset, run.Seed, run.Run)),
			)
		}
		if len(common) > 0 {
			out = append(out, document.Enumerate(common))
		}
		return out
	}
	var l document.RichText
	if r.Ablation != "" {
		l = document.Concat(document.Plain("ablation "), document.Quoted(r.Ablation), document.Plain(": "))
	}
	for _, c := range common {
		l = document.Concat(l, c, document.Plain(", "))
	}
	l = document.Concat(l, describeRun(r.Dataset, r.Seed, r.Run))
	if r.State != store.Complete {
		l = document.Concat(l, document.Plain(" (not complete: "), document.Mixed(string(r.State)), document.Plain(")"))
	}
	if len(rows) > 1 {
		if whole := sameTime(rows); whole != "" {
			l = document.Concat(l, document.Plain(", took "+whole))
		}
	}
	return []document.RichText{l}
}

// agentOf returns a key that identifies the row's agent.
func agentOf(r tableRow) [2]string {
	if r.ModelUnused && r.Command != "" {
		return [2]string{r.Command}
	}
	return [2]string{r.Command, r.Model}
}

// namedByModel reports whether the names of the rows contain their models.
func namedByModel(rows []tableRow) bool {
	return !alike(rows, agentOf) && !slices.ContainsFunc(rows, func(r tableRow) bool {
		return r.Name != r.Model && r.Name != r.Command || r.Command != "" && !r.ModelUnused
	})
}

func describeRun(d result.Dataset, seed int64, run string) document.RichText {
	n := text.Counted(d.Queries, "query")
	if d.Of > d.Queries {
		n = fmt.Sprintf("%d of its %d queries", d.Queries, d.Of)
	}
	return document.Concat(
		document.Quoted(d.Name),
		document.Plain(fmt.Sprintf(", %s, seed %d, run ", n, seed)),
		document.Quoted(run),
	)
}

// sharedTraces lists the rows of an ablation that use the same traces. In a comparison of two runs, the same agent
// made different traces.
func sharedTraces(r *result.Result) []document.RichText {
	var out []document.RichText
	names := map[string][]document.RichText{}
	for _, c := range r.Configurations {
		names[c.Agent] = append(names[c.Agent], document.Quoted(c.Name))
	}
	for _, c := range r.Configurations {
		if of := names[c.Agent]; len(of) > 1 && c.Agent != "" && r.Ablation != "" {
			out = append(
				out,
				document.Concat(
					document.Enumerate(of),
					document.Plain(" share their traces: the agent is the same, and only votes, verifier "+
						"or judges differ"),
				),
			)
			delete(names, c.Agent)
		}
	}
	return out
}

// versions returns one line with the versions of the rules and prompts that the figures depend on. In a comparison
// of two runs, the line has the versions of the first run. The headline of the comparison says what differs in the
// second run (see differing).
func versions(r *result.Result) []document.RichText {
	var out []document.RichText
	for _, name := range slices.Sorted(maps.Keys(r.Versions)) {
		if version := r.Versions[name]; version != "" {
			out = append(out, document.Concat(document.Quoted(name), document.Plain(" "), document.Quoted(version)))
		}
	}
	if len(out) == 0 {
		return nil
	}
	of := document.Plain("versions: ")
	if len(r.Runs) > 0 {
		of = document.Concat(document.Plain("versions of "), document.Quoted(r.Runs[0].Label), document.Plain(": "))
	}
	return []document.RichText{document.Concat(of, document.Enumerate(out))}
}

// judges returns the configured judges. If a rule other than the gold decides correctness, it adds the rule.
// Judges that are the same for all rows are returned once.
func judges(rows []tableRow, n *notes) []document.RichText {
	out := grouped(rows, rows, func(r tableRow) document.RichText { return judgedBy(r.Configuration, n) })
	read, followed := 0, 0
	for _, r := range rows {
		read += r.Judge.CorrectnessRead
		followed += r.Judge.CorrectnessFollowed
	}
	if read+followed > 0 {
		out = append(out, document.Plain(fmt.Sprintf("the correctness judge read %d of %d judged verdicts; %d followed from "+
			"equality or the outcome", read, read+followed, followed)))
	}
	return out
}

// validated states how reliable the correctness judge is; it is empty without a calibration.
func validated(k *judge.Calibration) document.RichText {
	if k == nil {
		return nil
	}
	text := fmt.Sprintf("; on %d labelled answers its sensitivity is %s, its specificity %s, kappa %s", k.Answers,
		judging.FormatShare(k.Whole.Sensitivity), judging.FormatShare(k.Whole.Specificity), figures.Decimal(k.Whole.Kappa, 2))
	out := document.Plain(text)
	if k.Votes != nil {
		out = document.Concat(
			out,
			document.Plain(fmt.Sprintf(", worth %.1f independent votes, its best member ", *k.Votes)),
			document.Quoted(k.Best),
		)
	}
	if doubts := k.Whole.Doubts(); len(doubts) > 0 {
		out = document.Concat(
			out,
			document.Plain("; "),
			document.Plain("judge not validated: "+strings.Join(doubts, "; ")).Toned(document.Doubtful),
		)
	}
	return out
}

// judgedBy describes the judges of a configuration; it is empty if the configuration has no judge that is a
// model.
func judgedBy(c result.Configuration, n *notes) document.RichText {
	var named []document.RichText
	if m := c.Judge.CorrectnessModel; m != "" {
		named = append(named, document.Concat(n.markedName(m), document.Plain(" for correctness")))
	}
	if m := c.Judge.QualityModel; m != "" {
		what := " for quality"
		if n.noteOn(m).FormOnly {
			what += " (form only)"
		}
		named = append(named, document.Concat(n.markedName(m), document.Plain(what)))
	}
	var out document.RichText
	if len(named) > 0 {
		out = document.Concat(document.Plain("judged by "), document.Enumerate(named))
		if c.Judge.Calibration == nil {
			out = document.Concat(document.Plain("judged, not validated, by "), document.Enumerate(named))
		}
		if t := c.Judge.Threshold; t != nil {
			out = document.Concat(out, document.Plain(fmt.Sprintf(", passing from a score of %d", *t)))
		}
	}
	if c.Pass != "" && c.Pass != judge.PassGold {
		if len(named) > 0 {
			out = document.Concat(out, document.Plain("; "))
		}
		if out = document.Concat(out, document.Plain("correct means "), passedBy(c.Pass)); len(named) == 0 &&
			c.Pass != judge.PassGoldTools {
			out = document.Concat(out, document.Plain("; judge not validated"))
		}
	}
	return document.Concat(out, validated(c.Judge.Calibration))
}

// passedBy describes the rule of a pass mode.
func passedBy(pass judge.Mode) document.RichText {
	const free = " (which an answer equal to the gold passes without a call)"
	switch pass {
	case judge.PassGoldTools:
		return document.Plain("right by the gold, with the expected tool calls")
	case judge.PassCorrectness:
		return document.Plain("passed by the correctness judge" + free)
	case judge.PassBoth:
		return document.Plain("passed by the correctness judge" + free + " and the quality judge")
	}
	return document.Concat(
		document.Plain("passed by the "),
		document.Mixed(string(pass)),
		document.Plain(" judge, not by the gold"),
	)
}
