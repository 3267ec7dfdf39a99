package external

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/internal/secret"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/agent"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/trace"
)

// Agent runs the traces of one external agent. It is safe for concurrent use.
type Agent struct {
	Config config.Configuration
	// Transport reaches the agent: Command, Residents or HTTP.
	Transport Transport
	// Hider removes the agent's keys from its output: from replies, errors and model calls. It may be nil.
	Hider *secret.Hider
	// Proxy, if not nil, serves the agent's model calls.
	Proxy *Proxy
	// Meter adds the usage that the agent reports to a budget. It may be nil.
	Meter Meter
	// Warn, if not nil, gets advice for the author of the agent, each kind once.
	Warn func(text string)

	renamed sync.Once // limits the warning about the message's name to one
}

// Meter is a budget that is charged when a trace has ended.
type Meter interface {
	Left() error // returns an error of kind model.ErrBudget once the budget is spent
	Charge(model.Usage)
}

// errDeadline is the cause of a trace's end at agent.timeout.
var errDeadline = errors.New("the agent's time limit is reached")

// errHangs is the error for a process that printed its reply but did not end.
var errHangs = errors.New("the agent printed its reply but did not end, and was stopped at agent.timeout")

// Run runs one trace.
func (a *Agent) Run(ctx context.Context, task agent.Task) trace.Trace {
	t := &run{
		conversation: &conversation{
			task: task, hider: a.Hider, open: map[string]time.Time{},
			kept: newKeptParts(boundsOf(a.Config.Agent.External.Reply)),
		},
		result: trace.Trace{ID: task.ID, Extract: string(answer.FromNowhere)},
		locale: a.Config.Agent.Locale,
	}
	if a.Meter != nil {
		if err := a.Meter.Left(); err != nil {
			return t.stop(trace.Budget, err.Error())
		}
	}
	timeout := a.Config.Agent.External.Deadline()
	within, cancel := context.WithTimeoutCause(ctx, timeout, errDeadline)
	defer cancel()
	request := newRequest(task, a.Config)
	request.Traceparent = model.Traceparent(ctx)
	if a.Proxy != nil {
		t.ctx = within
		request.Endpoint = a.Proxy.open(t.conversation)
		defer a.Proxy.keys.Delete(request.Endpoint.Key)
	}
	within, leave := withLane(within, ctx)
	defer leave()
	output, err := a.send(within, request)
	t.close()
	if errors.Is(err, errHangs) && ctx.Err() == nil {
		t.task.Emit(max(0, t.replies-1), trace.Guard{Rule: "format", Decision: "end", Detail: errHangs.Error()})
		err = nil
	}
	t.result.Steps, t.result.ModelCalls, t.result.ToolCalls, t.result.Usage = t.replies, t.started, t.results, t.usage
	for _, note := range t.kept.notes() {
		t.emit(trace.Guard{Rule: "format", Decision: "cut", Detail: note})
	}
	t.result.Children = t.embedded()
	for _, part := range t.result.Children {
		t.result.Usage = t.result.Usage.Add(part.Usage)
	}
	switch failed := t.lastError; {
	case failed != nil && model.KindOf(failed) == model.ErrBudget:
		return t.stop(trace.Budget, failed.Error())
	case ctx.Err() != nil:
		return t.stop(trace.Cancelled, context.Cause(ctx).Error())
	case err != nil && context.Cause(within) == errDeadline:
		return t.stop(trace.Timeout, fmt.Sprintf("the agent did not answer within %s (agent.timeout): %v",
			timeout, err))
	case err != nil:
		return t.stop(trace.AgentError, err.Error())
	}
	reply, ignored, err := a.read(output)
	if reply.field != "" {
		a.renamed.Do(func() { a.warn(reply.field) })
	}
	result := t.conclude(reply, ignored, err)
	if a.Meter != nil && t.started == 0 { // no call was made through the proxy
		a.Meter.Charge(result.Usage)
	}
	return result
}

// warn reports that the message of a reply is in a field with another name than in the contract.
func (a *Agent) warn(field string) {
	if a.Warn != nil {
		a.Warn(fmt.Sprintf("the agent's reply has %q in place of \"message\", which is read as the message; "+
			"rename the field to \"message\", or to \"answer\" for the short answer alone", field))
	}
}

// read reads an output in the configured format.
func (a *Agent) read(output []byte) (r Reply, ignored int, err error) {
	b := boundsOf(a.Config.Agent.External.Reply)
	if a.Config.Agent.External.Output == config.OutputText {
		r.Message = strings.TrimSpace(string(output))
		r.cut = b.within(&r, 0, 0)
		return r, 0, nil
	}
	unreadable := unreadableOutput
	if server, is := a.Transport.(*HTTP); is {
		unreadable = server.unreadable
	}
	return b.readReply(output, unreadable)
}

// unreadableOutput explains why the output of a program has no reply.
func unreadableOutput(output []byte) error {
	if len(bytes.TrimSpace(output)) == 0 {
		return errors.New(`the agent printed nothing on standard output: let it print {"message": "…"}`)
	}
	return noReply(output, replyWords{reply: "the reply", output: "the output", send: "print"})
}
