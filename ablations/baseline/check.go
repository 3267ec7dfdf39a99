package baseline

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/ablations/gate"
	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/internal/strictyaml"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/runner/trace"
)

// The checks of a line look for what a reader of numbers relies on. What they refuse no
// concur has written, so that the way out is always the line as it was committed.

// maxTraces keeps sums of what a file says within an int.
const maxTraces = 1_000_000

func (l runLine) check() error {
	for _, name := range []string{l.Run, l.Configuration, l.Agent, l.Dataset.Name, l.Dataset.Hash} {
		if name == "" || name != oneLine(name) {
			return fmt.Errorf("run, configuration, agent, dataset.name and dataset.hash are needed, each on one line, and one is %q; %s", quoted(name), asCommitted)
		}
	}
	for _, p := range l.Passes {
		if p.Run == "" || p.Run != oneLine(p.Run) || !digestFits(p.Digest) {
			return fmt.Errorf("a pass is named %q and has the digest %q, which are a name on one line and %d hexadecimal digits or none; %s", quoted(p.Run), quoted(p.Digest), 2*digestBytes, asCommitted)
		}
	}
	switch {
	case l.Start.IsZero():
		return fmt.Errorf("start is missing; %s", asCommitted)
	case l.K < 1 || l.K > maxTraces:
		return fmt.Errorf("k is %d, and traces per query are 1 to %d; %s", l.K, maxTraces, asCommitted)
	case l.Dataset.Queries < 1 || l.Correct < 0 || l.Correct > l.Dataset.Queries:
		return fmt.Errorf("correct is %d of %d queries; %s", l.Correct, l.Dataset.Queries, asCommitted)
	case len(l.Passes) == 0 || l.Passes[0].Run != l.Run || l.Passes[0].Seed != l.Seed:
		return fmt.Errorf("passes must begin with the run itself and its seed; %s", asCommitted)
	}
	return admits(l.Decision, l.Override)
}

// readable refuses a run whose lines could not be read again.
func (run AcceptedRun) readable() error {
	if err := (runLine{kindRun, run}).check(); err != nil {
		return err
	}
	for _, q := range run.Queries {
		if err := q.check(); err != nil {
			return err
		}
	}
	return nil
}

// admits refuses a run that its gate did not pass, where nobody answers for it.
func admits(d *gate.Decision, o *Override) error {
	if o != nil && (strings.TrimSpace(o.Reason) == "" || strings.TrimSpace(o.Author) == "") {
		return errors.New("an override needs a reason and an author")
	}
	if d == nil {
		return nil
	}
	switch *d {
	case gate.Pass, gate.Inconclusive:
		return nil
	case gate.Invalid:
		if o == nil {
			return errors.New("its gate said INVALID, so that it is no evidence: run again, or give the reason why it is")
		}
		return nil
	case gate.Regression, gate.Drift:
		if o == nil {
			return fmt.Errorf("its gate said %s, so that it would teach the pool what the gate is to find: mend the agent and run again, give the reason why it is a false alarm, or, where the change is intended, give that as the reason and then reset the baseline, keeping this run", *d)
		}
		return nil
	}
	return fmt.Errorf("decision %q is not known: %s", quoted(string(*d)), strictyaml.Suggest(string(*d), []string{string(gate.Pass), string(gate.Regression), string(gate.Drift), string(gate.Inconclusive), string(gate.Invalid)}))
}

const asCommitted = "put the line back as it was committed"

func (q Question) check() error {
	switch {
	case q.Query == "":
		return fmt.Errorf("query is missing or empty; %s", asCommitted)
	case q.Query != oneLine(q.Query):
		return fmt.Errorf("query is %q, and a name is on one line; %s", quoted(q.Query), asCommitted)
	case q.Expects != answer.Answered && q.Expects != answer.Refused && q.Expects != answer.Abstained:
		return fmt.Errorf("query %s expects %q, which is no outcome that a gold can expect; %s", quoted(q.Query), quoted(string(q.Expects)), asCommitted)
	}
	return nil
}

func (q AcceptedQuery) check() error {
	if err := q.Question.check(); err != nil {
		return err
	}
	for i, t := range q.Traces {
		if err := t.check(); err != nil {
			return fmt.Errorf("trace %d of query %s: %w; %s", i, quoted(q.Query), err, asCommitted)
		}
	}
	return nil
}

func (t AcceptedTrace) check() error {
	switch {
	case !slices.Contains(trace.Outcomes(), t.Outcome):
		return fmt.Errorf("unknown outcome %q", quoted(string(t.Outcome)))
	case !slices.Contains([]judge.Ruling{judge.Correct, judge.Incorrect, judge.Unscored}, t.Verdict):
		return fmt.Errorf("unknown verdict %q", quoted(string(t.Verdict)))
	case (t.Answer != nil) != (t.Outcome == trace.Answered):
		return fmt.Errorf("outcome %s with or without an answer that belongs to it", t.Outcome)
	case t.Outcome == trace.Infra && t.Verdict != judge.Unscored:
		return errors.New("a failure of the infrastructure has a verdict, and is never scored")
	}
	return nil
}

func (l resetLine) check() error {
	switch {
	case l.Configuration == "":
		return errors.New("configuration is missing or empty: a reset is of one configuration")
	case l.Time.IsZero():
		return errors.New("time is missing: runs before it no longer count")
	case strings.TrimSpace(l.Author) == "" || strings.TrimSpace(l.Reason) == "":
		return errors.New("a reset needs an author and a reason")
	}
	return nil
}

// join puts the lines of queries beneath their runs and looks for what is missing.
func (p *parser) join() {
	for _, at := range p.order {
		i, known := p.runs[at]
		lines := p.queries[at]
		if !known {
			p.fail(lines[0].line, "%s has no line of its own, only %d of queries: put the line back as it was committed, or remove these and add the run again with `concur baseline add RUN`", p.named(at), len(lines))
			continue
		}
		r := &p.b.Runs[i]
		for _, q := range lines {
			if want := r.K * len(r.Passes); len(q.Traces) != want {
				p.fail(q.line, "query %s of %s has %d traces, and %d passes with k=%d make %d; put the line back as it was committed", quoted(q.Query), p.named(at), len(q.Traces), len(r.Passes), r.K, want)
			}
			r.Queries = append(r.Queries, q.AcceptedQuery)
		}
	}
	p.whole()
	for _, r := range p.b.Resets {
		for _, name := range r.Keep {
			if _, known := p.runs[row{name, r.Configuration}]; !known {
				p.fail(r.line, "the reset keeps run %s, which is not here: put its lines back as they were committed, or take the name out", quoted(name))
			}
		}
	}
}

// whole looks for runs that have lost queries, and for passes that count twice.
func (p *parser) whole() {
	complete, passes, digests := map[string]AcceptedRun{}, map[row]int{}, map[string]int{}
	for _, r := range p.b.Runs {
		if len(r.Queries) == r.Dataset.Queries {
			complete[r.Dataset.Hash] = r
		}
	}
	for _, r := range p.b.Runs {
		if have := len(r.Queries); have != r.Dataset.Queries {
			p.fail(r.line, "%s has lines of %d queries, and was over %d%s: put the file back as it was committed, or remove the run's lines and add it again with `concur baseline add RUN`", p.named(row{r.Run, r.Configuration}), have, r.Dataset.Queries, missing(r, complete[r.Dataset.Hash]))
		}
		for _, pass := range r.Passes {
			if before, again := passes[row{pass.Run, r.Configuration}]; again {
				p.fail(r.line, "the pass %s counts already, on line %d: the same traces twice are no further evidence; remove one of the two runs", quoted(pass.Run), before)
			}
			passes[row{pass.Run, r.Configuration}] = r.line
			if pass.Digest == "" {
				continue
			}
			if before, again := digests[pass.Digest]; again {
				p.fail(r.line, "the pass %s has the very traces of one on line %d: the same traces twice are no further evidence; remove one of the two runs", quoted(pass.Run), before)
			}
			digests[pass.Digest] = r.line
		}
	}
}

// missing names the queries that a run has lost, where another run over the same queries
// tells.
func missing(r, complete AcceptedRun) string {
	have := map[string]bool{}
	for _, q := range r.Queries {
		have[q.Query] = true
	}
	var gone []string
	for _, q := range complete.Queries {
		if !have[q.Query] {
			gone = append(gone, quoted(q.Query))
		}
	}
	if len(gone) == 0 {
		return ""
	}
	return " (missing: " + listed(gone) + ")"
}
