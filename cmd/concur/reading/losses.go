package reading

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

// mayRetry reports whether a run makes its traces itself, so that it can make failed ones again.
func mayRetry(m store.Manifest) bool {
	kinds := []store.Kind{store.KindRun, store.KindShard, store.KindAblation}
	return slices.Contains(kinds, m.Kind()) && !m.IsAttack()
}

// tooManyLost reports whether a configuration lost so many traces that it must not be compared.
func tooManyLost(r *result.Result) bool {
	return slices.ContainsFunc(r.Configurations, func(c result.Configuration) bool {
		return len(c.Losses().Invalid()) > 0
	})
}

// retry returns the command that runs the failed traces of a run again. hub has the flags of the hub.
func retry(run *store.Run, hub string) string {
	return store.ResumeCommand(run.Dir, run.Manifest) + hub + " --retry-failed"
}

// noEvidence explains why a run has no result for some queries or for its agent, with the most frequent cause
// in full. hub has the flags of the hub.
func noEvidence(run *store.Run, r *result.Result, hub string) error {
	i := slices.IndexFunc(r.Configurations, func(c result.Configuration) bool {
		return c.Losses().Unwired() || c.Traces.QueriesWithoutValid > 0
	})
	if i < 0 {
		return noVerdict(run, r)
	}
	c := r.Configurations[i]
	what, wayOut := c.WithoutValid(), "fix that, then run what failed again with: "+retry(run, hub)
	if len(c.Traces.Causes) > 0 && !mayResume(c.Traces.Causes[0]) {
		wayOut = "correct that, and run again"
	}
	if c.Traces.StopReasons[trace.FormatError] == c.Traces.Total {
		what = "no reply of the agent could be read"
	}
	if len(r.Configurations) > 1 {
		what = "configuration " + c.Name + ": " + what
	}
	if len(c.Traces.Causes) > 0 {
		what += "\n" + c.Traces.Causes[0].String()
	}
	return fmt.Errorf("%s\n%s", what, wayOut)
}

// noVerdict explains why the programs of checks left queries without a verdict.
func noVerdict(run *store.Run, r *result.Result) error {
	i := slices.IndexFunc(r.Configurations, func(c result.Configuration) bool { return c.Traces.QueriesUndecided > 0 })
	c := r.Configurations[i]
	what := c.WithoutVerdict()
	if len(r.Configurations) > 1 {
		what = "configuration " + c.Name + ": " + what
	}
	return fmt.Errorf("%s\n%s\nmend the program, then check the recorded messages again with: concur rejudge %s", what,
		c.Traces.Undecided[0].Text, store.ShellQuoted(run.Dir))
}

// mayResume reports whether the run can be finished after the user has removed the cause. It cannot if the
// cause is the agent or the name of the model: with another agent or model, it would not be the same run.
func mayResume(c result.Cause) bool {
	badRequest := c.StopReason == trace.ModelError && strings.Contains(c.Text, string(model.ErrBadRequest)+": ")
	return c.StopReason != trace.AgentError && c.StopReason != trace.FormatError && !badRequest
}
