package export

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

// inspectVersion is the version of the log format of Inspect AI, as inspect_ai 0.3.285 reads it.
const inspectVersion = 2

// These types are the log format of Inspect AI. Fields for which a run has no value are missing.
type (
	inspectLog struct {
		Version int             `json:"version"`
		Status  string          `json:"status"`
		Eval    object          `json:"eval"`
		Plan    object          `json:"plan"`
		Results object          `json:"results"`
		Stats   object          `json:"stats"`
		Samples []inspectSample `json:"samples"`
	}
	inspectSample struct {
		ID       string            `json:"id"`
		Epoch    int               `json:"epoch"` // from 1
		Input    string            `json:"input"`
		Target   []string          `json:"target"`
		Messages []inspectMessage  `json:"messages"`
		Output   object            `json:"output"`
		Scores   map[string]object `json:"scores,omitempty"`
		Metadata object            `json:"metadata"`
		Usage    map[string]object `json:"model_usage"`
		Seconds  float64           `json:"total_time,omitempty"`
		Error    object            `json:"error,omitempty"`
	}
	inspectMessage struct {
		Role    string        `json:"role"`
		Content string        `json:"content"`
		Calls   []inspectCall `json:"tool_calls,omitempty"`
		Answers string        `json:"tool_call_id,omitempty"`
		Error   object        `json:"error,omitempty"`
	}
	inspectCall struct {
		ID        string          `json:"id"`
		Function  string          `json:"function"`
		Arguments json.RawMessage `json:"arguments"` // an object
		Type      string          `json:"type"`
	}
	object = map[string]any
)

// goldScore is the name of the score that holds concur's verdicts.
const goldScore = "concur"

// Inspect writes one configuration of a run as a log of Inspect AI in JSON. A query becomes a sample, its
// traces become epochs, and the verdict on a trace becomes its score. The metadata of each sample has the
// decision on the query. The configuration may be "" if the run has only one. targets holds the right answers
// by query id; for a query without targets, the text of the gold is used.
func Inspect(w io.Writer, run *store.Run, configuration string, targets map[string][]string) error {
	m := run.Manifest
	if configuration == "" {
		var names []string
		for _, c := range m.Configurations {
			names = append(names, c.Name)
		}
		if len(names) != 1 {
			return fmt.Errorf("export run %s: it has %d configurations, but a log of Inspect has one: "+
				"choose one with --configuration, of %s", m.Run, len(names), strings.Join(names, ", "))
		}
		configuration = names[0]
	}
	at := slices.IndexFunc(m.Configurations, func(c store.Configuration) bool { return c.Name == configuration })
	conf := m.Configurations[at]
	provider, model, _ := strings.Cut(conf.Model, ":")
	of := inspectLog{
		Version: inspectVersion, Status: "cancelled", Plan: object{"name": "plan", "steps": []object{}},
		Stats: object{"started_at": m.Start}, Samples: []inspectSample{},
	}
	if m.State == store.Complete {
		of.Status = "success"
	}
	if m.End != nil {
		of.Stats["completed_at"] = *m.End
	}
	traces, err := run.Traces(context.Background())
	if err != nil {
		return err
	}
	defer traces.Close() // only read
	llm := provider + "/" + model
	if err := of.count(run, conf, llm); err != nil {
		return err
	}
	return of.write(w, func(add func(inspectSample) error) error {
		for r, err := range run.Records() {
			if err != nil {
				return err
			}
			if r.Configuration != conf.Name {
				continue
			}
			for _, a := range r.Answers {
				events, err := traces.Events(trace.ID{Agent: r.Agent, Query: r.Query, Trace: a.Trace})
				if err == nil {
					err = add(sampleOf(targets[r.Query], r, a, events, llm))
				}
				if err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// scoreOf returns the value of a trace's score; "" for a trace without a verdict.
func scoreOf(a store.Answer) string {
	if a.Outcome == trace.Infra {
		return ""
	}
	return map[judge.Ruling]string{judge.Correct: "C", judge.Incorrect: "I"}[a.Verdict]
}

// count sets the figures of the log that are about all samples.
func (of *inspectLog) count(run *store.Run, conf store.Configuration, llm string) error {
	m := run.Manifest
	right, graded, completed, samples, ids := 0.0, 0, 0, 0, []string{}
	for r, err := range run.Records() {
		if err != nil {
			return err
		}
		if r.Configuration != conf.Name {
			continue
		}
		ids = append(ids, r.Query)
		correct, scored := 0.0, 0.0
		for _, a := range r.Answers {
			samples++
			if a.Outcome != trace.Infra {
				completed++
			}
			if scoreOf(a) != "" {
				scored++
			}
			if a.Verdict == judge.Correct {
				correct++
			}
		}
		if scored > 0 {
			right, graded = right+correct/scored, graded+1
		}
	}
	score := object{"name": goldScore, "scorer": goldScore, "params": object{}, "metrics": object{},
		"scored_samples": graded, "unscored_samples": len(ids) - graded}
	if graded > 0 {
		score["metrics"] = object{"accuracy": object{"name": "accuracy", "value": right / float64(graded),
			"params": object{}}}
	}
	of.Results = object{
		"total_samples": samples, "completed_samples": completed, "scores": []object{score},
		"headline": object{"scorer": goldScore, "score": goldScore, "metric": "accuracy"},
	}
	of.Eval = object{
		"eval_id": m.Run + "-" + conf.Name, "run_id": m.Run, "created": m.Start, "task": m.Dataset.Name,
		"task_id": m.Dataset.Name + "-" + conf.Name,
		"dataset": object{"name": m.Dataset.Name, "samples": m.Dataset.Queries, "sample_ids": ids,
			"shuffled": false}, "model": llm,
		"config": object{"epochs": conf.K}, "packages": object{},
		"metadata": object{"concur_configuration": conf.Name, "agent_hash": conf.Agent},
	}
	return nil
}

// write writes the log, with one sample at a time in memory.
func (of *inspectLog) write(w io.Writer, samples func(add func(inspectSample) error) error) error {
	encoded := func(v any, prefix string) (string, error) {
		var b strings.Builder
		out := json.NewEncoder(&b)
		out.SetIndent(prefix, "  ")
		out.SetEscapeHTML(false)
		err := out.Encode(v)
		return strings.TrimSuffix(b.String(), "\n"), err
	}
	head, err := encoded(of, "") // head ends with the empty list of samples
	if err != nil {
		return err
	}
	out := bufio.NewWriter(w)
	out.WriteString(strings.TrimSuffix(head, "]\n}")) // out keeps an error until the end
	between, end := "\n    ", "]\n}\n"
	if err := samples(func(s inspectSample) error {
		text, err := encoded(s, "    ")
		if err != nil {
			return err
		}
		out.WriteString(between)
		_, err = out.WriteString(text)
		between, end = ",\n    ", "\n  ]\n}\n"
		return err
	}); err != nil {
		return err
	}
	out.WriteString(end)
	return out.Flush()
}
