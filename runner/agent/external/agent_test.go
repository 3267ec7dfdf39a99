package external_test

import (
	"context"
	"errors"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/agent"
	"github.com/seed-5817661a/concur/runner/agent/external"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/trace"
)

// modelFunc is a model that is a function.
type modelFunc func(context.Context, model.Request) (model.Response, error)

func (f modelFunc) Complete(ctx context.Context, r model.Request) (model.Response, error) {
	return f(ctx, r)
}

// echo replies with the last message.
func echo(_ context.Context, r model.Request) (model.Response, error) {
	text := r.Messages[len(r.Messages)-1].Content
	return model.Response{Message: model.Message{Role: model.Assistant, Content: "echo " + text}, Finish: model.FinishStop, Usage: model.Usage{InputTokens: 5, OutputTokens: 2}}, nil
}

// recorder keeps the events of a trace.
type recorder struct {
	mu     sync.Mutex
	events []trace.Body
}

func (r *recorder) emit(_ int, b trace.Body) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.events = append(r.events, b)
}

func task(query string, of answer.Type, m model.Model, r *recorder) agent.Task {
	return agent.Task{
		ID: trace.ID{Agent: "a", Query: "q", Trace: 1}, Seed: 7, Model: m, Emit: r.emit,
		Query: datasets.Query{ID: "q", Text: query, Gold: datasets.Gold{Type: of}},
	}
}

func configuration(change func(*config.External)) config.Configuration {
	c := config.New()
	c.Agent.External.Exec = []string{"agent"}
	c.Agent.External.Timeout = 10 * time.Minute // longer than any test
	if change != nil {
		change(&c.Agent.External)
	}
	return c
}

// command starts this program as an agent with a behaviour.
func command(t *testing.T, behaviour string, log func(string)) *external.Command {
	t.Helper()
	return &external.Command{Argv: []string{os.Args[0]}, Env: []string{"BEHAVIOUR=" + behaviour}, Log: log}
}

func TestWhatAnAgentGivesBack(t *testing.T) {
	for _, c := range []struct {
		behaviour string
		of        answer.Type
		text      bool // with agent.output: text
		outcome   trace.Outcome
		reason    trace.StopReason
		answer    string
		cause     string
	}{
		{"answers", answer.Integer, false, trace.Answered, trace.Final, "42", ""},
		{"prints first", answer.Integer, false, trace.Answered, trace.Final, "42", ""},
		{"answers twice", answer.Integer, false, trace.Answered, trace.Final, "42", ""},
		{"pretty", answer.List, false, trace.Answered, trace.Final, "Oslo; 7; true", ""},
		{"crash after the answer", answer.Integer, false, trace.Answered, trace.Final, "42", ""},
		{"garbage", answer.Integer, false, trace.NoAnswer, trace.FormatError, "", "agent.output: text"},
		{"garbage", answer.Integer, true, trace.Answered, trace.Final, "42", ""},
		{"silence", answer.Integer, false, trace.NoAnswer, trace.FormatError, "", "printed nothing on standard output"},
		{"crash", answer.Integer, false, trace.Infra, trace.AgentError, "", "exit status 3; its standard error says KeyError: 'docs'\nit ends:\nTraceback (most recent call last):\nKeyError: 'docs'"},
		{"only thinks", answer.Integer, false, trace.NoAnswer, trace.EmptyAnswer, "", "without an answer"},
		{"shrugs", answer.Integer, false, trace.NoAnswer, trace.EmptyAnswer, "", "no answer could be read in the message"},
		{"cites figures", answer.Text, false, trace.Answered, trace.Final, "x in [2]", ""},
		{"cites evidence", answer.Text, false, trace.Answered, trace.Final, "the well", ""},
		{"too much", answer.Integer, false, trace.Infra, trace.AgentError, "", "more than 16 MiB"},
	} {
		t.Run(c.behaviour, func(t *testing.T) {
			var r recorder
			conf := configuration(func(e *config.External) {
				if c.text {
					e.Output = config.OutputText
				}
			})
			a := &external.Agent{Config: conf, Transport: command(t, c.behaviour, nil)}
			got := a.Run(t.Context(), task("How many?", c.of, nil, &r))
			if got.Outcome != c.outcome || got.StopReason != c.reason || got.Answer != c.answer || !strings.Contains(got.Cause, c.cause) || got.Cause != "" && c.cause == "" {
				t.Errorf("got %s, %s, %q, cause %q", got.Outcome, got.StopReason, got.Answer, got.Cause)
			}
		})
	}
}

// TestAnswerAloneIsTheMessage checks that a judge that looks for something in the message finds it in the
// answer.
func TestAnswerAloneIsTheMessage(t *testing.T) {
	a := &external.Agent{Config: configuration(nil), Transport: command(t, "answers", nil)}
	got := a.Run(t.Context(), task("How many?", answer.Integer, nil, nil))
	if got.Message != "42" || got.Answer != "42" {
		t.Errorf("message %q, answer %q; want 42 for both", got.Message, got.Answer)
	}
}

func TestIgnoredLinesAreRecorded(t *testing.T) {
	var r recorder
	a := &external.Agent{Config: configuration(nil), Transport: command(t, "prints first", nil)}
	a.Run(t.Context(), task("How many?", answer.Integer, nil, &r))
	want := trace.Guard{Rule: "format", Decision: "drop", Detail: "2 lines of the output besides the reply"}
	if len(r.events) != 1 || r.events[0] != trace.Body(want) {
		t.Errorf("events %+v, want %+v", r.events, want)
	}
}

// TestDeadline also checks the processes that an agent started: Run returns after the whole group has ended.
func TestDeadline(t *testing.T) {
	var r recorder
	conf := configuration(func(e *config.External) { e.Timeout = 3 * time.Second })
	a := &external.Agent{Config: conf, Transport: command(t, "ignores the end", nil)}
	got := a.Run(t.Context(), task("How many?", answer.Integer, nil, &r))
	if got.Outcome != trace.Infra || got.StopReason != trace.Timeout || !strings.Contains(got.Cause, "within 3s (agent.timeout)") {
		t.Errorf("got %s, %s, %q", got.Outcome, got.StopReason, got.Cause)
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	var r recorder
	a := &external.Agent{Config: configuration(nil), Transport: command(t, "ignores the end", func(line string) {
		if strings.Contains(line, "still thinking") {
			cancel(errors.New("the run was stopped"))
		}
	})}
	got := a.Run(ctx, task("How many?", answer.Integer, nil, &r))
	if got.StopReason != trace.Cancelled || got.Cause != "the run was stopped" {
		t.Errorf("got %s, %q", got.StopReason, got.Cause)
	}
}

func TestMissingProgram(t *testing.T) {
	var r recorder
	a := &external.Agent{Config: configuration(nil), Transport: &external.Command{Argv: []string{"/no/such/agent"}}}
	got := a.Run(t.Context(), task("How many?", answer.Integer, nil, &r))
	if got.StopReason != trace.AgentError || !strings.Contains(got.Cause, "start the agent: ") {
		t.Errorf("got %s, %q", got.StopReason, got.Cause)
	}
}

func TestEnvironmentIsAnAllowList(t *testing.T) {
	t.Setenv("OPENAI_API_KEY", "the real key")
	proxy := openProxy(t)
	var r recorder
	a := &external.Agent{Config: configuration(nil), Transport: command(t, "environment", nil), Proxy: proxy}
	got := a.Run(t.Context(), task("Which?", answer.Text, modelFunc(echo), &r)).Answer
	base := proxy.Address()
	for _, want := range []string{"OPENAI_BASE_URL=" + base + "/v1;", "ANTHROPIC_BASE_URL=" + base + ";", "OPENAI_API_KEY=concur-", "ANTHROPIC_API_KEY=concur-"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in %s", want, got)
		}
	}
	if strings.Contains(got, "the real key") || strings.Contains(got, "HOME=") {
		t.Errorf("the agent sees what it must not: %s", got)
	}
}

// A process gets the span of its trace as a variable, if the run sends spans.
func TestTraceparentOfAProcess(t *testing.T) {
	const parent = "00-0123456789abcdef0123456789abcdef-0123456789abcdef-01"
	var r recorder
	a := &external.Agent{Config: configuration(nil), Transport: command(t, "environment", nil), Proxy: openProxy(t)}
	for value, want := range map[string]bool{parent: true, "": false} {
		got := a.Run(model.WithTraceparent(t.Context(), value), task("Which?", answer.Text, modelFunc(echo), &r)).Answer
		if strings.Contains(got, "TRACEPARENT="+parent) != want || strings.Contains(got, "TRACEPARENT") != want {
			t.Errorf("traceparent %q: the environment is %s", value, got)
		}
	}
}

// TestLogIsBounded checks that many short lines on standard error do not fill the log.
func TestLogIsBounded(t *testing.T) {
	var mu sync.Mutex
	lines, last := 0, ""
	a := &external.Agent{Config: configuration(nil), Transport: command(t, "floods standard error", func(line string) {
		mu.Lock()
		defer mu.Unlock()
		lines, last = lines+1, line
	})}
	var r recorder
	got := a.Run(t.Context(), task("How many?", answer.Integer, nil, &r))
	if got.Answer != "42" || lines > 1100 || !strings.Contains(last, "further lines of standard error are not logged") {
		t.Errorf("answer %q, %d lines, the last %q", got.Answer, lines, last)
	}
}

// TestKill checks that Kill ends the running processes with all that they started, and that no other one can
// start.
func TestKill(t *testing.T) {
	c := command(t, "ignores the end", nil)
	residents := &external.Residents{Argv: c.Argv, Env: c.Env}
	defer residents.Close()
	for _, transport := range []external.Transport{c, residents} {
		asked := make(chan struct{})
		log := sync.OnceFunc(func() { close(asked) })
		c.Log, residents.Log = func(string) { log() }, func(string) { log() }
		a := &external.Agent{Config: configuration(nil), Transport: transport}
		var r recorder
		ended := make(chan trace.Trace)
		go func() { ended <- a.Run(t.Context(), task("Which?", answer.Text, nil, &r)) }()
		<-asked
		transport.Kill()
		if got := <-ended; got.StopReason != trace.AgentError {
			t.Errorf("%T: %s, %q", transport, got.StopReason, got.Cause)
		}
		if got := a.Run(t.Context(), task("Which?", answer.Text, nil, &r)); !strings.Contains(got.Cause, "its processes were ended") {
			t.Errorf("%T, afterwards: %s, %q", transport, got.StopReason, got.Cause)
		}
	}
}
