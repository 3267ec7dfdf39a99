package baseline

import (
	"fmt"
	"slices"

	"github.com/seed-5817661a/concur/ablations/gate"
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

// Pass is one configuration of a run, read from the run's folder.
type Pass struct {
	Manifest      store.Manifest
	Configuration store.Configuration
	Records       []store.Record      // of the configuration, one per query
	Messages      map[trace.ID]string // final messages, in which a gold may look for keywords
	Models        []string            // names that the agent's providers reported, sorted; nil if unknown
	// Digest is a hash of all replies of the agent's model in the configuration. It is "" if it is unknown, at
	// temperature 0, and if the replies are too few to distinguish this pass from other passes.
	Digest string
	Copies Copies // identical replies; see Cached
	// the same agent and seed give the same traces, so equal replies are expected; the caller sets it
	Deterministic bool
}

// ReadPass reads a configuration of a run. If the run has only one configuration, its name may be "". ReadPass
// returns an error if the manifest was edited since the run began.
func ReadPass(r *store.Run, configuration string) (Pass, error) {
	p := Pass{Manifest: r.Manifest, Messages: map[trace.ID]string{}}
	fail := func(err error) (Pass, error) { return p, fmt.Errorf("read run %s: %w", r.Manifest.Run, err) }
	if err := r.Manifest.CheckSeal(); err != nil {
		return fail(err)
	}
	var err error
	if p.Configuration, err = configurationOf(r.Manifest, configuration); err != nil {
		return fail(err)
	}
	c := p.Configuration
	if c.Seen > 0 {
		return fail(fmt.Errorf("its playbook was learned from %d of its queries, so its result is not valid: run it "+
			"without --allow-seen, on other queries", c.Seen))
	}
	for record, err := range r.Unlabelled() {
		if err != nil {
			return p, err
		}
		if record.Configuration == c.Name {
			p.Records = append(p.Records, record)
		}
	}
	for e, err := range r.Events() {
		if err != nil {
			return p, err
		}
		if end, last := e.Body.(trace.Conclusion); last && e.Path == "" && e.Agent == c.Agent {
			p.Messages[e.ID] = end.Message
		}
	}
	said := replies{}
	for x, err := range r.Exchanges() {
		if err != nil {
			return p, err
		}
		said.add(x, c.Agent)
		if x.Purpose == model.Agent && x.Identity.Agent == c.Agent && x.Model != nil && *x.Model != "" &&
			!slices.Contains(p.Models, *x.Model) {
			p.Models = append(p.Models, *x.Model)
		}
	}
	slices.Sort(p.Models)
	p.Copies = said.copies()
	if c.Configuration.Agent.Temperature > 0 { // at 0, equal replies are expected
		p.Digest = said.digest(c.Name)
	}
	return p, nil
}

// IDs returns the ids of the queries, sorted.
func (p Pass) IDs() (ids []string) {
	for _, r := range p.Records {
		ids = append(ids, r.Query)
	}
	slices.Sort(ids)
	return ids
}

// configurationOf finds a configuration by its name. If there is only one, the name may be "".
func configurationOf(m store.Manifest, name string) (store.Configuration, error) {
	var names []string
	for _, c := range m.Configurations {
		if c.Name == name || name == "" && len(m.Configurations) == 1 {
			return c, nil
		}
		names = append(names, c.Name)
	}
	return store.Configuration{}, fmt.Errorf("it has %d configurations, and only one at a time can be gated "+
		"or accepted: "+
		"name one of %s", len(names), text.Listed(names))
}

// Retry returns the command that runs the lost traces of a run again.
func Retry(m store.Manifest) string { return "`" + store.ResumeCommand(m.Run, m) + " --retry-failed`" }

// MarkOf returns the result of a trace with this outcome and verdict.
func MarkOf(o trace.Outcome, v judge.Ruling) gate.TraceResult {
	switch {
	case o == trace.Infra:
		return gate.Lost
	case v == judge.Correct:
		return gate.Right
	case v == judge.Incorrect:
		return gate.Wrong
	}
	return gate.Unscored
}

// TracesOf counts the traces of a record by the gold's verdict on each.
func TracesOf(answers []store.Answer) gate.Traces {
	var q AcceptedQuery
	for _, a := range answers {
		q.Traces = append(q.Traces, Accepted(a))
	}
	return q.Count()
}

// Accepted returns a trace in the form in which a baseline keeps it.
func Accepted(a store.Answer) AcceptedTrace {
	return AcceptedTrace{Outcome: a.Outcome, Answer: a.Answer, Verdict: a.Verdict}
}

// Evidential returns an error for a run that does not show how the agent works now, or shows too little of it:
// a replay, a rejudged run, a run of fresh traces, and a run of a part of a dataset.
func Evidential(m store.Manifest) error {
	switch {
	case m.ReplayOf != "":
		return fmt.Errorf("it is a replay of %s, whose traces are not new: use that run, "+
			"or check this one with `concur run --replay RUN --check`", m.ReplayOf)
	case m.RejudgeOf != "":
		return fmt.Errorf("it has the traces of %s, judged again, which are not new: run "+
			"again with the new judge", m.RejudgeOf)
	case m.FreshOf != "":
		return fmt.Errorf("it holds fresh traces of %s, which count for that run only: use that run", m.FreshOf)
	case m.Dataset.Shard != nil:
		return fmt.Errorf("it is shard %s of a run, and nothing is known of the other queries: join all shards with "+
			"`concur merge`, and take the result", m.Dataset.Shard)
	case m.Dataset.Of > m.Dataset.Queries:
		return fmt.Errorf("it is over %d of the %d queries of %s: run it "+
			"without --query, --category and --limit", m.Dataset.Queries, m.Dataset.Of, m.Dataset.Name)
	}
	return nil
}

// Judged returns an error if any verdict of the run depends on a judge. The gate tests single traces, but a
// judge sees only the consensus. The part of the gold that needs no model, and the expected tool calls, give a
// verdict on every trace.
func (p Pass) Judged() error {
	if c := p.Configuration; c.Pass != judge.PassGold && c.Pass != judge.PassGoldTools {
		return fmt.Errorf("configuration %s passes by %s, which looks at the consensus alone, and the gate's tests "+
			"need a verdict on every trace: gate on a run with pass: gold or gold+tools", c.Name, c.Pass)
	}
	ofTraces := []string{judge.ByGold, judge.ByChecks, judge.ByTools, judge.ByInfra}
	for _, r := range p.Records {
		if by := r.Verdict.By; !slices.Contains(ofTraces, by) {
			return fmt.Errorf("the verdict on query %s is by %s, which looks at the consensus alone, and the gate's "+
				"tests need a verdict on every trace: leave queries with a semantic condition to a dataset "+
				"of their own", r.Query, by)
		}
	}
	return nil
}
