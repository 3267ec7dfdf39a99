package external_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/agent/external"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/trace"
)

func openProxy(t *testing.T) *external.Proxy {
	t.Helper()
	p, err := external.NewProxy("offline:reader?latency=1ms", nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	return p
}

func TestProxyNamesCountsAndPassesOn(t *testing.T) {
	var seen model.Request
	m := modelFunc(func(ctx context.Context, r model.Request) (model.Response, error) {
		seen = r
		return echo(ctx, r)
	})
	var r recorder
	a := &external.Agent{Config: configuration(nil), Transport: command(t, "asks", nil), Proxy: openProxy(t)}
	got := a.Run(t.Context(), task("Which?", answer.Text, m, &r))
	if got.Answer != "echo Which?" || got.Steps != 1 || got.ModelCalls != 1 || got.Usage.InputTokens != 5 {
		t.Errorf("got %+v", got)
	}
	id := seen.Identity
	if id.Task == "" {
		t.Error("the conversation has no name")
	}
	if id.Task = ""; id != (model.Identity{Agent: "a", Query: "q", Trace: 1, Purpose: model.Agent}) {
		t.Errorf("identity %+v", seen.Identity)
	}
}

func TestProxyRefuses(t *testing.T) {
	proxy := openProxy(t)
	var r recorder
	a := &external.Agent{Config: configuration(nil), Transport: command(t, "asks for another model", nil), Proxy: proxy}
	got := a.Run(t.Context(), task("Which?", answer.Text, modelFunc(echo), &r))
	if !strings.Contains(got.Answer, "404") || !strings.Contains(got.Answer, "the configuration names the model offline:reader") {
		t.Errorf("another model: %q", got.Answer)
	}
	for _, key := range []string{"", "Bearer concur-GUESSED"} {
		req, _ := http.NewRequest(http.MethodGet, proxy.Address()+"/v1/models", nil)
		req.Header.Set("Authorization", key)
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		http.DefaultClient.CloseIdleConnections()
		if resp.StatusCode != http.StatusUnauthorized {
			t.Errorf("key %q: %s", key, resp.Status)
		}
	}
}

// TestFailedModelIsNotTheAgentsFault checks that an agent has no vote if its model failed and it gave up, and
// that it is run again if the run's budget was spent.
func TestFailedModelIsNotTheAgentsFault(t *testing.T) {
	for kind, want := range map[model.ErrorKind]trace.StopReason{
		model.ErrUnavailable: trace.ModelError, model.ErrTimeout: trace.Timeout, model.ErrBudget: trace.Budget,
		model.ErrContextOverflow: trace.ContextOverflow, model.ErrBadRequest: trace.EmptyAnswer,
	} {
		m := modelFunc(func(context.Context, model.Request) (model.Response, error) {
			return model.Response{}, &model.Error{Kind: kind, Model: "m", Err: errors.New("no")}
		})
		var r recorder
		a := &external.Agent{Config: configuration(nil), Transport: command(t, "asks and fails", nil), Proxy: openProxy(t)}
		if got := a.Run(t.Context(), task("Which?", answer.Text, m, &r)); got.StopReason != want {
			t.Errorf("%s: %s, want %s (%s)", kind, got.StopReason, want, got.Cause)
		}
	}
}

func TestResidents(t *testing.T) {
	var mu sync.Mutex
	var logged []string
	log := func(line string) {
		mu.Lock()
		defer mu.Unlock()
		logged = append(logged, line)
	}
	c := command(t, "stays", nil)
	p := &external.Residents{Argv: c.Argv, Env: c.Env, Log: log}
	defer p.Close()
	a := &external.Agent{Config: configuration(func(e *config.External) { e.Serve = true }), Transport: p}
	run := func(query string) trace.Trace {
		var r recorder
		return a.Run(t.Context(), task(query, answer.Text, nil, &r))
	}
	first, second := run("a"), run("b")
	pid := strings.TrimPrefix(first.Answer, "a ")
	if second.Answer != "b "+pid {
		t.Errorf("the process did not stay: %q, %q (%s)", first.Answer, second.Answer, second.Cause)
	}
	if crashed := run("crash"); crashed.StopReason != trace.AgentError || !strings.Contains(crashed.Cause, "out of memory") {
		t.Errorf("crash: %s, %q", crashed.StopReason, crashed.Cause)
	}
	if got := run("twice"); got.Answer != "first" { // because the call is repeated, the first reply counts
		t.Errorf("twice: %q", got.Answer)
	}
	if got := run("c"); !strings.HasPrefix(got.Answer, "c ") { // the second reply to "twice" is ignored
		t.Errorf("after a second reply: %q", got.Answer)
	}
	var side sync.WaitGroup
	for i := range 4 {
		side.Go(func() {
			if got := run(fmt.Sprint("side ", i)); !strings.HasPrefix(got.Answer, fmt.Sprint("side ", i, " ")) {
				t.Errorf("side by side: %q, %s", got.Answer, got.Cause)
			}
		})
	}
	side.Wait()
}

func TestResidentMustRepeatTheCall(t *testing.T) {
	c := command(t, "stays without call", nil)
	p := &external.Residents{Argv: c.Argv, Env: c.Env}
	defer p.Close()
	var r recorder
	a := &external.Agent{Config: configuration(func(e *config.External) { e.Serve = true }), Transport: p}
	if got := a.Run(t.Context(), task("a", answer.Text, nil, &r)); !strings.Contains(got.Cause, `has no "call"`) {
		t.Errorf("got %s, %q", got.StopReason, got.Cause)
	}
}
