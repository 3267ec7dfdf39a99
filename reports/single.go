package reports

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/trace"
)

// single is the report of one configuration: a row, and beneath it how it came about.
func single(r *result.Result, notes remarks) []part {
	type c = result.Configuration
	quality := qualityHeader(r.Configurations, notes)
	figures := []figure[c]{
		word("configuration", func(c c) line { return quoted(c.Name) }),
		word("model", func(c c) line { return notes.named(c.Model) }),
		count("K", func(c c) string { return strconv.Itoa(c.K) }),
		count("correct", func(c c) string { return fraction(c.Counts) }),
		count(rateHeader(r.Configurations), passRate),
	}
	figures = append(figures, categories(r.Dataset.Categories)...)
	figures = append(figures,
		measure("judged\ncorrect", func(c c) string { return percent(c.Judge.CorrectnessPassRate) }),
		measure(quality, func(c c) string { return qualityMean(c, quality, notes) }),
		count("agreement", func(c c) string { return decimal(c.Consensus.MeanAgreement, 2) }),
		count("calls\n(+ tools)", func(c c) string { return fmt.Sprintf("%d+%d", c.Usage.ModelCalls, c.Usage.ToolCalls) }),
		count("tokens", func(c c) string { return thousands(c.Usage.InputTokens + c.Usage.OutputTokens) }),
		measure("cost", func(c c) string { return dollars(c.Usage.USD) }),
		measure("per\ncorrect", func(c c) string { return dollars(c.USDPerCorrect) }),
		count("time", func(c c) string { return seconds(c.Timing.WallS) }),
	)
	var lines []line
	for _, c := range r.Configurations {
		for _, l := range manner(c) {
			lines = append(lines, say(quoted(c.Name), plain(": "), l))
		}
		if c.KCurve != nil && c.K > 1 {
			lines = append(lines, plain(curve(*c.KCurve)))
		}
		if c.Clustered != nil {
			lines = append(lines, inClusters(c, nil))
		}
	}
	lines = append(lines, judges(r.Configurations, notes)...)
	if r.Ablation != "" {
		lines = append(lines, say(plain("ablation "), quoted(r.Ablation), plain(" has one configuration, so nothing was compared")))
	}
	return []part{
		{table: tabulate(nil, figures, r.Configurations)},
		{lines: slices.Concat(lines, notes.lines(), warnings(r), []line{origin(r)})},
	}
}

// manner says how a configuration came by its figures.
func manner(c result.Configuration) []line {
	out := []line{plain(methods(c))}
	if r := c.Reliability; c.K > 1 && r.PassAtK.Value != nil && r.PassHatK.Value != nil {
		text := fmt.Sprintf("pass@%d %s (some trace right), pass^%d %s (all right)", c.K, estimate(r.PassAtK), c.K, estimate(r.PassHatK))
		if n := r.PassAtK.Dropped; n > 0 {
			text += fmt.Sprintf(", without %d of %d queries that lack a trace", n, n+r.PassAtK.Queries)
		}
		out = append(out, plain(text))
	}
	if c.Usage.USD != nil {
		out = append(out, plain(fmt.Sprintf("cost %s; %s a query", roles(c), dollars(c.USDPerQuery))))
	}
	if n := c.Citations; n.Audited > 0 {
		out = append(out, plain(fmt.Sprintf("citations of %s audited, %s grounded; precision %s, recall %s; correct but not grounded %d, grounded but wrong %d",
			counted(n.Audited, "answer", "answers"), percent(n.Share), percent(n.Precision), percent(n.Recall), n.CorrectUngrounded, n.IncorrectGrounded)))
	}
	out = append(out, faults(c)...)
	return out
}

// faults says what was wrong in the form of replies, if anything was.
func faults(c result.Configuration) []line {
	var out []line
	for _, who := range []struct {
		name string
		result.Unread
		time *float64
	}{{"the verifier", c.Consensus.VerifierUnread, c.Timing.VerifierUnread}, {"the judges", c.Judge.Unread, c.Timing.JudgesUnread}} {
		if who.Replies > 0 {
			out = append(out, plain(fmt.Sprintf("%d of %d replies of %s could not be read; they took %s of the tokens and %s of the time",
				who.Replies, who.Of, who.name, percent(who.Tokens), percent(who.time))))
		}
	}
	f := c.Traces.Format
	if f == (trace.Format{}) {
		return out
	}
	out = append(out, plain(fmt.Sprintf("of %d replies %d were wrong in form, %d were mended, %d invented an observation; %d further actions were dropped",
		c.Traces.Replies, f.Errors, f.Repaired, f.Invented, f.Dropped)))
	if f.Reminders+f.Guessed+f.CutOff > 0 {
		out = append(out, plain(fmt.Sprintf("traces: %d; the answer line asked for again: %d; answers guessed: %d; cut off at the token limit: %d",
			c.Traces.Total, f.Reminders, f.Guessed, f.CutOff)))
	}
	return out
}

// methods says how the decisions of a configuration came about, and how often each way
// led to a right one.
func methods(c result.Configuration) string {
	var parts []string
	for _, m := range consensus.Methods() {
		if n := c.Consensus.Methods[m]; n > 0 {
			parts = append(parts, fmt.Sprintf("%s %d (%d correct)", m, n, c.Consensus.CorrectByMethod[m]))
		}
	}
	if len(parts) == 0 {
		return "no queries"
	}
	return fmt.Sprintf("consensus %s; %d of %d single traces correct by the gold", strings.Join(parts, ", "), c.Traces.Correct, c.Traces.Total)
}

// roles says what each role cost, where there is more than one.
func roles(c result.Configuration) string {
	var parts []string
	for _, role := range []store.Role{store.AgentRole, store.VerifierRole, store.JudgeRole} {
		if r, called := c.Usage.Roles[role]; called && r.USD != nil {
			parts = append(parts, fmt.Sprintf("%s %s", role, dollars(r.USD)))
		}
	}
	return strings.Join(parts, ", ")
}
