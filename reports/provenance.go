package reports

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/runner/store"
)

// origins names the run, dataset and models of the figures, and the settings that all rows share.
func origins(r *result.Result, rows []row, n *notes) []line {
	var common []line
	if len(rows) > 0 && alike(rows, agentOf) {
		common = append(common, n.agent(rows[0].Configuration))
	}
	if len(rows) > 0 && alike(rows, func(r row) int { return r.K }) {
		common = append(common, plain(fmt.Sprintf("K=%d", rows[0].K)))
	}
	if len(r.Runs) > 0 {
		var out []line
		for _, run := range r.Runs {
			out = append(out, say(quoted(run.Label), plain(": "), from(run.Dataset, run.Seed, run.Run)))
		}
		if len(common) > 0 {
			out = append(out, list(common))
		}
		return out
	}
	var l line
	if r.Ablation != "" {
		l = say(plain("ablation "), quoted(r.Ablation), plain(": "))
	}
	for _, c := range common {
		l = say(l, c, plain(", "))
	}
	l = say(l, from(r.Dataset, r.Seed, r.Run))
	if r.State != store.Complete {
		l = say(l, plain(" (not complete: "), blend(string(r.State)), plain(")"))
	}
	if len(rows) > 1 {
		if whole := sameTime(rows); whole != "" {
			l = say(l, plain(", took "+whole))
		}
	}
	return []line{l}
}

// agentOf returns a key that is different for different agents.
func agentOf(r row) [2]string {
	if r.ModelUnused && r.Command != "" {
		return [2]string{r.Command}
	}
	return [2]string{r.Command, r.Model}
}

// namedByModel reports whether the names of the rows already contain the models.
func namedByModel(rows []row) bool {
	return !alike(rows, agentOf) && !slices.ContainsFunc(rows, func(r row) bool {
		return r.Name != r.Model && r.Name != r.Command || r.Command != "" && !r.ModelUnused
	})
}

func from(d result.Dataset, seed int64, run string) line {
	n := text.Counted(d.Queries, "query")
	if d.Of > d.Queries {
		n = fmt.Sprintf("%d of its %d queries", d.Queries, d.Of)
	}
	return say(quoted(d.Name), plain(fmt.Sprintf(", %s, seed %d, run ", n, seed)), quoted(run))
}

// shared lists the rows of an ablation that use the same traces. In a comparison of two runs, the same agent
// made different traces.
func shared(r *result.Result) []line {
	var out []line
	names := map[string][]line{}
	for _, c := range r.Configurations {
		names[c.Agent] = append(names[c.Agent], quoted(c.Name))
	}
	for _, c := range r.Configurations {
		if of := names[c.Agent]; len(of) > 1 && c.Agent != "" && r.Ablation != "" {
			out = append(out, say(list(of), plain(" share their traces: the agent is the same, and what is made of "+
				"its answers differs")))
			delete(names, c.Agent)
		}
	}
	return out
}

// versions lists the versions of the rules and prompts behind the figures. For two runs they are the first
// run's; the rows of the other run list its differences.
func versions(r *result.Result) []line {
	var out []line
	for _, name := range slices.Sorted(maps.Keys(r.Versions)) {
		if version := r.Versions[name]; version != "" {
			out = append(out, say(quoted(name), plain(" "), quoted(version)))
		}
	}
	if len(out) == 0 {
		return nil
	}
	of := plain("versions: ")
	if len(r.Runs) > 0 {
		of = say(plain("versions of "), quoted(r.Runs[0].Label), plain(": "))
	}
	return []line{say(of, list(out))}
}

// judges names the configured judges and, if it is not the gold, the rule that decides correctness. If they
// are the same for all rows, they are named once.
func judges(rows []row, n *notes) []line {
	out := grouped(rows, rows, func(r row) line { return judgedBy(r.Configuration, n) })
	read, followed := 0, 0
	for _, r := range rows {
		read += r.Judge.CorrectnessRead
		followed += r.Judge.CorrectnessFollowed
	}
	if read+followed > 0 {
		out = append(out, plain(fmt.Sprintf("the correctness judge read %d of %d judged verdicts; %d followed from "+
			"equality or the outcome", read, read+followed, followed)))
	}
	return out
}

// validated states how reliable the correctness judge is; nothing without a calibration.
func validated(k *judge.Calibration) line {
	if k == nil {
		return nil
	}
	text := fmt.Sprintf("; on %d labelled answers its sensitivity is %s, its specificity %s, kappa %s", k.Answers,
		shareOf(k.Whole.Sensitivity), shareOf(k.Whole.Specificity), decimal(k.Whole.Kappa, 2))
	out := plain(text)
	if k.Votes != nil {
		out = say(out, plain(fmt.Sprintf(", worth %.1f independent votes, its best member ", *k.Votes)), quoted(k.Best))
	}
	if doubts := k.Whole.Doubts(); len(doubts) > 0 {
		out = say(out, plain("; "), plain("judge not validated: "+strings.Join(doubts, "; ")).in(doubtful))
	}
	return out
}

// judgedBy describes the judges of a configuration; it is empty if no model judges.
func judgedBy(c result.Configuration, n *notes) line {
	var named []line
	if m := c.Judge.CorrectnessModel; m != "" {
		named = append(named, say(n.named(m), plain(" for correctness")))
	}
	if m := c.Judge.QualityModel; m != "" {
		what := " for quality"
		if n.on(m).FormOnly {
			what += " (form only)"
		}
		named = append(named, say(n.named(m), plain(what)))
	}
	var out line
	if len(named) > 0 {
		out = say(plain("judged by "), list(named))
		if c.Judge.Calibration == nil {
			out = say(plain("judged, not validated, by "), list(named))
		}
		if t := c.Judge.Threshold; t != nil {
			out = say(out, plain(fmt.Sprintf(", passing from a score of %d", *t)))
		}
	}
	if c.Pass != "" && c.Pass != judge.PassGold {
		if len(named) > 0 {
			out = say(out, plain("; "))
		}
		if out = say(out, plain("correct means "), passedBy(c.Pass)); len(named) == 0 &&
			c.Pass != judge.PassGoldTools {
			out = say(out, plain("; judge not validated"))
		}
	}
	return say(out, validated(c.Judge.Calibration))
}

// passedBy describes the rule of a pass mode.
func passedBy(pass judge.Mode) line {
	const free = " (which an answer equal to the gold passes without a call)"
	switch pass {
	case judge.PassGoldTools:
		return plain("right by the gold, with the expected tool calls")
	case judge.PassCorrectness:
		return plain("passed by the correctness judge" + free)
	case judge.PassBoth:
		return plain("passed by the correctness judge" + free + " and the quality judge")
	}
	return say(plain("passed by the "), blend(string(pass)), plain(" judge, not by the gold"))
}
