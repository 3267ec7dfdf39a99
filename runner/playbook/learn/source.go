package learn

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/playbook"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

// Labels selects the source of labels, which decide which traces are right.
type Labels string

// The sources of labels.
const (
	Gold     Labels = "gold"     // the gold's verdict on each trace
	Majority Labels = "majority" // the answer of most traces, for runs without a gold
)

// Options configure learning from a run.
type Options struct {
	Labels        Labels
	Configuration string // required for a run with several configurations
	Limit         int    // number of queries, from the start of the seeded order; 0 means all
	Level         float64
	Budget        int // budget of the playbook in tokens; 0 means no budget
	// Known lists the golds and aliases of the dataset, which bullets must not contain.
	Known []string
}

// question is a query of the run, with the data for reflectors.
type question struct {
	playbook.Query
	origin         playbook.Origin
	text, category string
	traces         []*attempt
}

// taughtBy adds the query to the origins of a lesson, once. Queries come in order, so if the query is already an
// origin, it is the last one.
func (q *question) taughtBy(origins []playbook.Origin) []playbook.Origin {
	if len(origins) > 0 && origins[len(origins)-1] == q.origin {
		return origins
	}
	return append(origins, q.origin)
}

// attempt is a trace, with the data for reflectors.
type attempt struct {
	id    trace.ID
	right bool
	steps int
	tools []string // calls that returned a result; repetitions are folded
	fails []failure
	shown []string // ids of the bullets that were shown
}

// failure is a tool and the kind of its error.
type failure struct{ tool, kind string }

// read reads the data for reflectors. It keeps names of tools and counts. It does not keep outputs of tools,
// so that memory does not grow with them.
func read(run *store.Run, o Options) ([]*question, error) {
	agent, name, err := suitable(run, o.Configuration)
	if err != nil {
		return nil, err
	}
	var out []*question
	byTrace := map[trace.ID]*attempt{}
	unscored := 0
	for r, err := range run.Records() {
		if err != nil {
			return nil, err
		}
		if r.Configuration != name {
			continue
		}
		q := &question{
			Query: playbook.Query{ID: r.Query, Hash: r.QueryHash, Cluster: r.Cluster}, text: r.Question,
			category: r.Category,
			origin:   playbook.Origin{Run: run.Manifest.Run, Query: r.Query, Hash: r.QueryHash},
		}
		for _, a := range r.Answers {
			right, known := rightness(r, a, o.Labels)
			if !known {
				unscored++
				continue
			}
			t := &attempt{id: trace.ID{Agent: agent, Query: r.Query, Trace: a.Trace}, right: right, steps: a.Steps}
			byTrace[t.id] = t
			q.traces = append(q.traces, t)
		}
		out = append(out, q)
	}
	if len(byTrace) == 0 {
		return nil, fmt.Errorf("run %s has no trace with a verdict (%d without): run it over a dataset with golds, "+
			"or learn with --labels majority", run.Manifest.Run, unscored)
	}
	if o.Limit > 0 { // take the queries with the lowest digests of seed and id
		drawn := func(q *question) string { return digest(fmt.Appendf(nil, "%d\n%s", run.Manifest.Seed, q.ID)) }
		slices.SortFunc(out, func(a, b *question) int { return strings.Compare(drawn(a), drawn(b)) })
		out = out[:min(o.Limit, len(out))]
	}
	slices.SortFunc(out, func(a, b *question) int { return strings.Compare(a.ID, b.ID) })
	return out, follow(run, byTrace)
}

// suitable returns an error if a run is not complete, or is a replay whose traces would count twice.
func suitable(run *store.Run, configuration string) (agent, name string, err error) {
	m := run.Manifest
	var names []string
	for _, c := range m.Configurations {
		names = append(names, c.Name)
		if c.Name == configuration || configuration == "" && len(m.Configurations) == 1 {
			agent, name = c.Agent, c.Name
		}
	}
	switch {
	case m.State != store.Complete:
		err = fmt.Errorf("run %s is not complete (state: %s): finish it first with `%s`", m.Run, m.State,
			store.ResumeCommand(run.Dir, m))
	case m.ReplayOf != "":
		err = fmt.Errorf("run %s is a replay with the traces of %s: learn from that run", m.Run, m.ReplayOf)
	case name == "" && configuration == "":
		err = fmt.Errorf("run %s has %d configurations (%s): name one with --configuration", m.Run, len(names),
			strings.Join(names, ", "))
	case name == "":
		err = fmt.Errorf("run %s has no configuration %q: it has %s", m.Run, configuration, strings.Join(names, ", "))
	}
	return agent, name, err
}

// rightness reports whether a trace is right. known is false if the run does not say.
func rightness(r store.Record, a store.Answer, by Labels) (right, known bool) {
	if a.Outcome == trace.Infra {
		return false, false
	}
	if by == Majority {
		if r.Consensus.Answer == nil || a.Key == nil {
			return false, r.Consensus.Answer != nil
		}
		for _, v := range r.Consensus.Votes {
			if slices.Contains(v.Traces, a.Trace) {
				return r.Consensus.Representative != nil && slices.Contains(v.Traces, *r.Consensus.Representative), true
			}
		}
		return false, true
	}
	return a.Verdict == judge.Correct, a.Verdict == judge.Correct || a.Verdict == judge.Incorrect
}

// follow reads the events of a run, and adds the tool calls to its traces.
func follow(run *store.Run, traces map[trace.ID]*attempt) error {
	type call struct {
		trace.ID
		id string
	}
	open := map[call]string{} // tools of calls without a result so far
	for e, err := range run.Events() {
		if err != nil {
			return err
		}
		t := traces[e.ID]
		if t == nil || !model.IsOwnPath(e.Path) {
			continue
		}
		switch b := e.Body.(type) {
		case trace.Action:
			open[call{e.ID, b.CallID}] = b.Name
		case trace.Observation:
			key := call{e.ID, b.CallID}
			tool := open[key]
			delete(open, key)
			switch {
			case tool == "":
			case b.Error == nil:
				t.tools = folded(append(t.tools, tool))
			default:
				kind := ""
				if b.ErrorKind != nil {
					kind = *b.ErrorKind
				}
				t.fails = append(t.fails, failure{tool, cmp.Or(kind, "error")})
			}
		case trace.Conclusion:
			use, err := trace.Extra[playbook.Use](b.Extras, playbook.UseName)
			if err != nil {
				return err
			}
			if use != nil {
				t.shown = use.Shown
			}
		}
	}
	return nil
}

// maxLoop is the maximum length of a repeated part that is folded.
const maxLoop = 3

// folded removes the end of a sequence if it repeats the part before it: a b a b becomes a b.
func folded(tools []string) []string {
	for n := 1; n <= maxLoop && 2*n <= len(tools); n++ {
		if end := len(tools); slices.Equal(tools[end-n:], tools[end-2*n:end-n]) {
			return tools[:end-n]
		}
	}
	return tools
}
