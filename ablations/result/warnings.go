package result

import (
	"fmt"
	"maps"
	"slices"

	"github.com/seed-5817661a/concur/ablations/result/votes"
	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/internal/bag"
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

// Invalid reports whether the run shows nothing about at least one query. There are three causes: the query has
// no valid trace; the query has no verdict because the program or the model of a check failed; or the agent never
// gave a readable reply, which affects all queries.
func (r *Result) Invalid() bool {
	return slices.ContainsFunc(r.Configurations, func(c Configuration) bool {
		return c.Traces.QueriesWithoutValid > 0 || c.Traces.QueriesUndecided > 0 || c.Losses().Unwired()
	})
}

// NeverRead is the warning for a run whose agent never gave a readable reply. Such a run shows nothing about
// the agent.
const NeverRead = "every trace crashed or gave a reply that could not be read: check how the agent is connected, " +
	"and run again"

type notes struct {
	row  string
	list []string
}

func (n *notes) when(holds bool, format string, args ...any) {
	if holds {
		n.list = append(n.list, n.row+": "+fmt.Sprintf(format, args...))
	}
}

// warnings returns the warnings about a row.
func warnings(c Configuration) []string {
	n := &notes{row: c.Name}
	all, missing, unscored := c.Counts.Queries, c.Counts.Missing, c.Counts.Unscored-c.Counts.Missing
	queries := func(part int) string { return text.CountedOf(part, all, "query") }
	n.when(missing > 0, "%s %s no record, because the run is not complete; %s as unscored, and the results of the "+
		"others may not apply to %s",
		queries(missing), text.Verb(missing, "has", "have"), text.Verb(missing, "it counts", "they count"),
		text.Verb(missing, "it", "them"))
	for _, why := range c.Losses().Invalid() {
		n.when(true, "%s", why)
	}
	if len(c.Traces.Causes) > 0 {
		n.when(true, "%s", c.Traces.Causes[0])
	}
	for _, of := range c.Traces.Undecided {
		n.when(true, "%s, like trace %d of %s, could not be checked: %s", text.Counted(of.Traces, "trace"), of.Trace,
			of.Query, of.Text)
	}
	// Limits that were reached and mistakes of form affect the figures more than the model's ability does.
	traces, form := c.Traces.Total, c.Traces.Format
	long := c.Traces.StopReasons[trace.ContextOverflow]
	n.when(2*long > traces, "%s did not fit the context of the model; give it a longer one (a local server has a "+
		"setting for it), or less to read: agent.max_output, agent.max_steps", text.CountedOf(long, traces, "trace"))
	n.when(2*form.CutOff > traces, "%d final messages of %d traces were cut off at the token limit; allow more with "+
		"?max_tokens= behind the model, or in the server's settings", form.CutOff, traces)
	// A message that was cut off has no answer line either; then the limit is the cause, and not the model's form.
	n.when(2*form.Reminders > traces && 2*form.CutOff <= traces, "%d final messages of %d traces lacked their answer "+
		"line, which was requested again; the model does not keep to the form: look at its replies with `concur "+
		"trace`, and try --protocol text, --strategy direct, or another model", form.Reminders, traces)
	for _, check := range slices.Sorted(maps.Keys(c.Traces.Unsteady)) {
		n.when(true, "the check %s answers the same message differently, seen in %s: mend its program", check,
			text.Counted(c.Traces.Unsteady[check], "trace"))
	}
	dropped := c.Reliability.PassAtK.Dropped
	n.when(c.K > 1 && dropped > c.Traces.QueriesWithoutValid,
		"pass@%d and pass^%d leave out %s for having fewer than %d traces that count", c.K, c.K, queries(dropped), c.K)
	effect := "they widen the bounds, as those without a record do"
	if c.PassRate != nil {
		effect = fmt.Sprintf("the pass rate counts %s as wrong, and would be %s %% if %s right",
			text.Verb(unscored, "it", "them"), text.Percent(c.Bounds[1], 0),
			text.Verb(unscored, "it were", "they were"))
	}
	n.when(unscored > 0, "%s %s unscored; %s", queries(unscored), text.Verb(unscored, "is", "are"), effect)
	n.verifier(c.Consensus.VerifierCanaries)
	n.picker(c.Consensus.PickCanaries)
	n.when(c.Consensus.VerifierErrors > 0 && !c.Consensus.VerifierCanaries.Invalid(),
		"the verifier's model failed on %s; the answers concerned were not merged",
		text.Counted(c.Consensus.VerifierErrors, "question"))
	u := c.Consensus.VerifierUnread
	n.when(u.mostly(), "%d of %d replies of the verifier could not be read, so few answers can have been merged; "+
		"name another model (verifier: {model: …} in concur.yaml), or vote without one (consensus: {stages: "+
		"[exact, majority]})", u.Replies, u.Of)
	u = c.Judge.Unread
	n.when(u.mostly(), "%d of %d replies of the judges could not be read; name another judge (--judge "+
		"PROVIDER:MODEL), and see judge.max_tokens", u.Replies, u.Of)
	n.when(c.Judge.Unscored > 0, "judgements without a usable verdict: %d; the judges' rates count them as not passed",
		c.Judge.Unscored)
	n.judges(c)
	n.headline(c)
	n.when(c.Consensus.WithoutKCurve > 0, "in %s a model picks before votes are counted, so the decision of fewer "+
		"traces is unknown", queries(c.Consensus.WithoutKCurve))
	n.when(c.Consensus.Quorum == consensus.QuorumNone, "a majority of the traces that voted decides (quorum none), "+
		"even if they are few; rows with the quorum majority need more than half of all traces")
	n.when(c.K > 1 && c.K%2 == 0, "K=%d is even, so votes can tie; an odd K avoids that", c.K)
	return n.list
}

// maxInfraShare is the largest share of traces that may be lost to the infrastructure. If more are lost,
// figures of a configuration must not be compared (docs/method.md §1.1).
const maxInfraShare = 0.02

// Losses counts the traces of a configuration that were lost to the infrastructure or unreadable.
type Losses struct {
	Queries      int
	WithoutValid int // queries whose traces all failed as infra
	Traces       int
	Infra        int // traces that failed as infra
	Unread       int // traces that crashed, or gave an unreadable reply
}

// Losses returns the losses of a configuration.
func (c Configuration) Losses() Losses {
	return Losses{
		Queries: c.Counts.Queries, WithoutValid: c.Traces.QueriesWithoutValid,
		Traces: c.Traces.Total, Infra: c.Traces.Outcomes[trace.Infra],
		Unread: c.Traces.StopReasons[trace.FormatError] + c.Traces.StopReasons[trace.AgentError],
	}
}

// Unwired reports whether every trace crashed or gave a reply that could not be read. The agent is then
// probably not connected correctly, and the run shows nothing about it.
func (l Losses) Unwired() bool { return l.Traces > 0 && l.Unread == l.Traces }

// Add counts the traces of a query's record.
func (l *Losses) Add(r store.Record) {
	valid := votes.Valid(r)
	l.Infra += len(r.Answers) - valid
	l.Traces += len(r.Answers)
	for _, a := range r.Answers {
		l.Unread += bag.OneIf(a.StopReason == trace.FormatError || a.StopReason == trace.AgentError)
	}
	l.Queries++
	l.WithoutValid += bag.OneIf(valid == 0 && len(r.Answers) > 0)
}

// Invalid returns the reasons why a configuration must not be compared; nil if it may be compared. Source:
// docs/method.md §1.1.
func (l Losses) Invalid() []string {
	if l.Unwired() {
		return []string{NeverRead}
	}
	var why []string
	if l.WithoutValid > 0 {
		why = append(why, fmt.Sprintf("%s %s no valid trace", text.CountedOf(l.WithoutValid, l.Queries, "query"),
			text.Verb(l.WithoutValid, "has", "have")))
	}
	if float64(l.Infra) > maxInfraShare*float64(l.Traces) {
		why = append(why, fmt.Sprintf("%s failed as infra; above %.0f %% the run is not "+
			"valid for comparison", text.CountedOf(l.Infra, l.Traces, "trace"), maxInfraShare*100))
	}
	return why
}
