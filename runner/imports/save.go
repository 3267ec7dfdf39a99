package imports

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"
	"time"

	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/agent"
	"github.com/seed-5817661a/concur/runner/agent/dialect"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/extract"
	"github.com/seed-5817661a/concur/runner/imported"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

// Save writes the log as a run into runsDir, and returns the run's folder. start becomes part of the run's
// name.
func (l *Log) Save(ctx context.Context, runsDir string, build map[string]string, start time.Time) (string, error) {
	arms, err := l.arms()
	if err != nil {
		return "", err
	}
	l.Name = cmp.Or(strings.Trim(unusable.ReplaceAllString(l.Name, "-"), "-"), "imported")
	data := l.set()
	of, err := runner.DescribeSet(data)
	if err != nil {
		return "", err
	}
	var confs []config.Configuration
	for _, a := range arms {
		confs = append(confs, a.Configuration)
	}
	seed := cmp.Or(l.seed, 1)
	draft, err := runner.NewDraft(data, of, confs, &seed, start)
	if err != nil {
		return "", err
	}
	m := draft.Manifest
	m.Versions = maps.Clone(build)
	if l.Extractor != nil {
		m.Versions["extraction"] = extract.PromptVersion + " " + extract.CanariesVersion()
	}
	for i, a := range arms {
		m.Configurations[i].Agent = a.AgentHash
	}
	if len(arms) > 1 {
		m.Ablation, m.Baseline = "import", arms[0].Configuration.Name
	}
	plan := runner.Plan{Dataset: draft.Dataset, Seed: seed, Arms: arms, Price: l.Price}
	if err := plan.Check(); err != nil {
		return "", err
	}
	out, err := store.Create(runsDir, m)
	if err != nil {
		return "", err
	}
	for _, note := range l.Lines() {
		fmt.Fprintln(out.Log(), "import ", note)
	}
	if err = imported.Keep(out.Dir(), data, l.Tool == imported.Spans); err == nil {
		err = plan.Run(ctx, out, runner.Control{})
	}
	return out.Dir(), errors.Join(err, out.Finish(runner.StateAfter(err), time.Now()))
}

// arms returns the rows as arms of a plan, each with an agent that returns the recorded traces. K is the
// number of traces of the row's longest query.
func (l *Log) arms() ([]runner.Arm, error) {
	var arms []runner.Arm
	for _, r := range l.Rows {
		conf := config.New()
		conf.Name, conf.K, conf.Pass = r.Name, 1, cmp.Or(l.Pass, conf.Pass)
		for n := range r.lengths() {
			conf.K = max(conf.K, n)
		}
		for n := range r.lengths() {
			if n < conf.K { // a query may have fewer repeats
				conf.Consensus.Quorum = consensus.QuorumNone
			}
		}
		if provider, model, ok := strings.Cut(r.Model, ":"); ok && provider != "" && model != "" {
			conf.Model = r.Model
		} else {
			conf.Model = "unknown:" + cmp.Or(r.Model, "model")
		}
		conf.Consensus.Stages = []consensus.Stage{consensus.StageExact, consensus.StageMajority}
		conf.Agent.External = config.External{Imported: l.Tool}
		if l.Extractor != nil {
			conf.Extract, conf.Extractor = config.ExtractModel, config.Extractor{Model: l.Extractor.Name}
		}
		hash, err := conf.AgentHash(map[string]string{"row": r.Name})
		if err != nil {
			return nil, err
		}
		from := &recording{row: r}
		arms = append(arms, runner.Arm{Configuration: conf, AgentHash: hash, Agent: from, Recording: from.known,
			Extractor: l.Extractor})
	}
	return arms, nil
}

// recording is an agent that returns recorded traces.
type recording struct{ row *Row }

// Run returns the recorded trace.
func (r *recording) Run(_ context.Context, task agent.Task) trace.Trace {
	t, err := r.row.Trace(task.ID.Query, task.ID.Trace)
	if err != nil {
		t = t.lose(trace.AgentError, err.Error())
	}
	for _, e := range t.Events {
		task.Emit(e.Step, e.Body)
	}
	out := t.Trace
	out.ID = task.ID
	if out.Outcome == "" { // the rules have not yet read the message
		_, said := model.Message{Content: out.Message}.Speech() // a thought is not a message, even if its block has no end
		final := task.Query.Gold.Read(said, task.Query.Text)
		out.Extract, out.StopReason = string(final.Extract), trace.Final
		out.Outcome, out.Answer = final.Outcome, final.Short
		// A message that the other harness graded may look like a call.
		unread := ""
		if final.Extract != answer.FromLine && t.Verdict == nil {
			unread = dialect.UnreadCall(said)
		}
		switch message := strings.TrimSpace(said); {
		case unread != "":
			out.Outcome, out.Answer, out.Extract = trace.NoAnswer, "", string(answer.FromNowhere)
			out.StopReason, out.Cause = trace.EmptyAnswer, unread
		case final.Outcome != trace.NoAnswer:
		case message == "":
			out.StopReason, out.Cause = trace.EmptyAnswer, "the recorded message is empty"
		case t.Verdict != nil: // the whole message votes, because the other harness graded it
			out.Outcome, out.Answer = trace.Answered, message
		default:
			out.StopReason, out.Cause = trace.EmptyAnswer, trace.CouldNotRead
		}
	}
	return out
}

func (r *recording) known(id trace.ID) runner.Recording {
	return r.row.recording(id.Query, id.Trace)
}
