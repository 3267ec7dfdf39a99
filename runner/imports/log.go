package imports

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/agent"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/trace"
)

// Log is what a file of another harness holds.
type Log struct {
	Tool    string // such as promptfoo 0.123.1
	Name    string // of the dataset
	Queries []datasets.Query
	Rows    []*Row
	// Pass decides that a query passes: config.PassGold, also if "", or config.PassGoldTools.
	Pass string
	// NoCalls: the format does not record tool calls.
	NoCalls bool
	// Notes say what was left out, and what the format does not say, each with its count.
	Notes []string

	at map[string]int // of queries, by id
}

// Row is one configuration: a model, a prompt, an agent.
type Row struct {
	Name   string
	Model  string             // provider:model; "" if it is not stated
	Traces map[string][]Trace // by query id, in the order of repeats
}

// Trace is a recorded trace.
type Trace struct {
	trace.Trace
	Events []Event
	// Verdict was given by the other harness; nil if it gave none.
	Verdict *judge.Verdict
	Seconds float64 // that it took; 0 if unknown
}

// lostTrace is a trace without a vote.
func lostTrace(cause string) Trace {
	return Trace{Trace: trace.Trace{Outcome: trace.Infra, StopReason: trace.AgentError, Extract: "none", Cause: cause}}
}

// Event is a recorded event without its place and time.
type Event struct {
	Step int
	Body trace.Body
}

// maxRepeats is the number of traces of a query: a file that states more is damaged.
const maxRepeats = 10_000

// row finds a row by its name, or adds it.
func (l *Log) row(name, model string) *Row {
	for _, r := range l.Rows {
		if r.Name == name {
			return r
		}
	}
	r := &Row{Name: name, Model: model, Traces: map[string][]Trace{}}
	l.Rows = append(l.Rows, r)
	return r
}

var unusable = regexp.MustCompile(`[^A-Za-z0-9._-]+`)

// query gives the id under which a query is known, which is made from the tool's id or text.
func (l *Log) query(q datasets.Query) string {
	if l.at == nil {
		l.at = map[string]int{}
	}
	id := strings.Trim(unusable.ReplaceAllString(q.ID, "-"), "-")
	if id == "" || len(id) > 60 {
		sum := sha256.Sum256([]byte(q.ID + "\x00" + q.Text))
		id = strings.Trim(id[:min(len(id), 40)]+"-"+hex.EncodeToString(sum[:4]), "-")
	}
	if _, known := l.at[id]; !known {
		l.at[id] = len(l.Queries)
		q.ID, q.Category = id, cmp.Or(q.Category, "all")
		q.Gold.Type, q.Gold.Outcome = cmp.Or(q.Gold.Type, answer.Text), cmp.Or(q.Gold.Outcome, answer.Answered)
		q.Gold.None = q.Gold.Answer == "" && len(q.Gold.AllOf) == 0
		l.Queries = append(l.Queries, q)
	}
	return id
}

// note adds a sentence with a count above 0.
func (l *Log) note(n int, format string) {
	if n > 0 {
		l.Notes = append(l.Notes, fmt.Sprintf(format, n))
	}
}

// Judge replaces the gold and the expected tool calls of the queries with those of a dataset,
// by id or else by text. The verdicts of the other harness then count for nothing. A query
// that the dataset does not have is an error. Calls that the format does not record are not
// compared.
func (l *Log) Judge(d *datasets.Dataset) error {
	byID, byText := map[string]datasets.Query{}, map[string]datasets.Query{}
	for _, q := range d.Queries {
		byID[q.ID], byText[strings.TrimSpace(q.Text)] = q, q
	}
	var missing []string
	unknown := 0
	for i, q := range l.Queries {
		found, ok := byID[q.ID]
		if !ok {
			found, ok = byText[strings.TrimSpace(q.Text)]
		}
		if !ok {
			missing = append(missing, q.ID)
			continue
		}
		l.Queries[i].Gold, l.Queries[i].Category = found.Gold, found.Category
		if found.Expects != nil && l.NoCalls {
			unknown++
		} else {
			l.Queries[i].Expects = found.Expects
		}
	}
	l.note(unknown, "%d queries expect tool calls, which the file does not record: they are not compared")
	if len(missing) > 0 {
		return fmt.Errorf("the dataset %s has no query of the id or text of %s", d.Name, strings.Join(missing[:min(len(missing), 10)], ", "))
	}
	for _, r := range l.Rows {
		for _, traces := range r.Traces {
			for i := range traces {
				traces[i].Verdict = nil
			}
		}
	}
	return nil
}

// Arms are the rows as arms of a plan: each has an agent that gives back what was recorded.
// The first traces of a query are taken as many as the row's longest query has.
func (l *Log) Arms() ([]runner.Arm, error) {
	queries := map[string]datasets.Query{}
	for _, q := range l.Queries {
		queries[q.ID] = q
	}
	var arms []runner.Arm
	for _, r := range l.Rows {
		conf := config.New()
		conf.Name, conf.K, conf.Pass = r.Name, 1, cmp.Or(l.Pass, conf.Pass)
		for _, traces := range r.Traces {
			conf.K = max(conf.K, len(traces))
		}
		for _, traces := range r.Traces {
			if len(traces) < conf.K { // fewer repeats decide a query as well
				conf.Consensus.Quorum = config.QuorumNone
			}
		}
		if provider, model, ok := strings.Cut(r.Model, ":"); ok && provider != "" && model != "" {
			conf.Model = r.Model
		} else {
			conf.Model = "unknown:" + cmp.Or(r.Model, "model")
		}
		conf.Consensus.Stages = []string{config.StageExact, config.StageMajority}
		conf.Agent.External = config.External{Imported: l.Tool}
		hash, err := conf.AgentHash(map[string]string{"row": r.Name})
		if err != nil {
			return nil, err
		}
		from := &recording{row: r, queries: queries}
		arms = append(arms, runner.Arm{Configuration: conf, AgentHash: hash, Agent: from, Recording: from.known})
	}
	return arms, nil
}

// Counts says in words what the other harness said of the traces, a line for each row.
func (l *Log) Counts() []string {
	var out []string
	for _, r := range l.Rows {
		n := map[judge.Ruling]int{}
		lost := 0
		for _, traces := range r.Traces {
			for _, t := range traces {
				if t.Outcome == trace.Infra {
					lost++
				} else if t.Verdict != nil {
					n[t.Verdict.Verdict]++
				}
			}
		}
		out = append(out, fmt.Sprintf("%s: %d traces correct, %d incorrect, %d unscored, %d lost", r.Name, n[judge.Correct], n[judge.Incorrect], n[judge.Unscored], lost))
	}
	return out
}

// recording is an agent that gives back recorded traces.
type recording struct {
	row     *Row
	queries map[string]datasets.Query
}

func (r *recording) find(query string, index int) *Trace {
	traces := r.row.Traces[query]
	if index >= len(traces) {
		return nil
	}
	return &traces[index]
}

// Run gives back the recorded trace. A repeat that the file does not have is lost.
func (r *recording) Run(_ context.Context, task agent.Task) trace.Trace {
	t := r.find(task.ID.Query, task.ID.Trace)
	if t == nil {
		return trace.Trace{ID: task.ID, Outcome: trace.Infra, StopReason: trace.AgentError, Extract: "none", Cause: "the imported file has no such repeat of the query"}
	}
	for _, e := range t.Events {
		task.Emit(e.Step, e.Body)
	}
	out := t.Trace
	out.ID = task.ID
	if out.Outcome == "" { // the message is to be read
		final := answer.Extract(out.Message, task.Query.Text, task.Query.Gold.Type)
		out.Extract, out.StopReason = string(final.Extract), trace.Final
		switch final.Kind {
		case answer.Answered:
			out.Outcome, out.Answer = trace.Answered, final.Short
		case answer.Refused:
			out.Outcome = trace.Refused
		case answer.Abstained:
			out.Outcome = trace.Abstained
		default: // the whole message votes: the other harness graded it as it is
			out.Outcome, out.Answer = trace.Answered, strings.TrimSpace(out.Message)
			if out.Answer == "" {
				out.Outcome, out.StopReason, out.Cause = trace.NoAnswer, trace.EmptyAnswer, "the recorded message is empty"
			}
		}
	}
	return out
}

func (r *recording) known(id trace.ID) runner.Recording {
	if t := r.find(id.Query, id.Trace); t != nil {
		return runner.Recording{Verdict: t.Verdict, Seconds: t.Seconds}
	}
	return runner.Recording{}
}

// textOf is a JSON text, or the texts of parts; any other JSON stays as it is.
func textOf(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text
	}
	var parts []struct{ Type, Text string }
	if json.Unmarshal(raw, &parts) == nil {
		var out []string
		for _, p := range parts {
			if p.Text != "" {
				out = append(out, p.Text)
			}
		}
		return strings.Join(out, "\n")
	}
	return string(raw)
}
