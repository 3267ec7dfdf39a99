package outputtest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/datasets/answer"
	stored "github.com/seed-5817661a/concur/datasets/queries"
	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

// Run is the run for which an output is opened.
type Run struct {
	Draft  runner.Draft
	Plan   runner.Plan
	Folder *store.Writer
	Prior  *store.Prior // nil unless the run is resumed
}

// Subject is an open output.
type Subject struct {
	Output runner.Output
	// Keeps returns the text that the output must keep for a call; "" if it keeps nothing for it. call is the
	// argument of the method: a store.Exchange, a trace.Event or a store.Record.
	Keeps func(call any) string
	// Kept returns the text that the output has kept, at the end of the run.
	Kept func(testing.TB) string
	// Break causes a failure of the output's destination, such as a disk or a server, in the middle of a run. It
	// is nil for an output that writes only to memory.
	Break func()
}

// Test runs plans with an output, and fails if the run or the output breaks the rules of runner.Output. It
// calls open for each run.
func Test(t *testing.T, open func(testing.TB, Run) Subject) {
	t.Helper()
	for _, s := range []scene{
		{name: "one trace at a time", atOnce: 1},
		{name: "traces side by side", atOnce: 8},
		{name: "cancelled", atOnce: 4, stop: errCancelled},
		{name: "drained", atOnce: 4, stop: runner.ErrDrained},
		{name: "the folder fails", atOnce: 4, stop: errFolder},
		{name: "resumed", atOnce: 4, resumed: true},
		{name: "the output fails", atOnce: 4, breaks: true},
	} {
		t.Run(s.name, func(t *testing.T) { s.play(t, open) })
	}
}

var (
	errCancelled = errors.New("cancelled by the test")
	errFolder    = errors.New("the disk of the test is full")
)

// scene is a run with an output.
type scene struct {
	name    string
	atOnce  int   // number of concurrent traces
	stop    error // the error that ends the run after its first record; nil if the run is not ended
	resumed bool
	breaks  bool // the output fails from the first record on
}

const (
	queries = 6
	k       = 3
	working = 2 // number of queries that are answered in a run that is stopped
)

func (s scene) play(t *testing.T, open func(testing.TB, Run) Subject) {
	a := &talker{stops: s.stop != nil}
	draft, plan := newPlan(t, s.atOnce, a)
	var broken atomic.Bool
	folder, err := store.Options{Fault: func(boundary string) error {
		if broken.Load() && strings.HasPrefix(boundary, "write") {
			return errFolder
		}
		return nil
	}, Buffer: 256}.Create(t.TempDir(), draft.Manifest)
	if err != nil {
		t.Fatal(err)
	}
	run := Run{Draft: draft, Plan: plan, Folder: folder}
	if s.resumed {
		run.Folder, run.Prior = begun(t, draft, plan, folder)
		a.forget()
	}
	subject := open(t, run)
	if s.breaks && subject.Break == nil {
		if err := run.Folder.Finish(store.Interrupted, time.Now()); err != nil {
			t.Error(err)
		}
		t.Skip("the output writes to memory alone")
	}

	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	drain := make(chan struct{})
	w := &witness{prior: run.Prior, first: func() {
		switch s.stop {
		case errCancelled:
			cancel(errCancelled)
		case runner.ErrDrained:
			close(drain)
		case errFolder:
			broken.Store(true)
		}
		if s.breaks {
			subject.Break()
		}
	}}
	runErr := plan.Run(ctx, run.Folder, runner.Control{Prior: run.Prior, Drain: drain,
		Outputs: []runner.Output{before{w}, subject.Output, after{w}}})
	if !errors.Is(runErr, s.stop) {
		t.Errorf("the run ended with %v, want %v", runErr, s.stop)
	}
	w.check(t, a.begun, runErr)
	finishErr := run.Folder.Finish(runner.StateAfter(runErr), time.Now())
	if (finishErr != nil) != (s.stop == errFolder) {
		t.Errorf("the folder ended with %v", finishErr)
	}
	if s.stop == nil && run.Prior == nil && w.records != queries {
		t.Errorf("%d records, want %d", w.records, queries)
	}
	compare(t, w.texts(subject.Keeps), subject.Kept(t), s.breaks)
}

// compare looks for texts in the kept text: all of them in their order or, if the output failed, some of them
// in their order.
func compare(t *testing.T, want []string, kept string, failed bool) {
	t.Helper()
	if got := strings.Join(want, ""); !failed && kept != got {
		t.Errorf("it kept:\n%s\nwant:\n%s", kept, got)
	}
	if !failed && kept == "" {
		t.Error("it kept nothing")
	}
	rest := kept
	for _, text := range want {
		rest = strings.TrimPrefix(rest, text)
	}
	if rest != "" {
		t.Errorf("from here on, it kept other calls, or another order:\n%s", rest)
	}
}

// newPlan returns a draft and a plan of queries that ask for "yes".
func newPlan(t testing.TB, atOnce int, a *talker) (runner.Draft, runner.Plan) {
	t.Helper()
	conf := config.New()
	conf.Name, conf.K, conf.Limits.Concurrency = "default", k, atOnce
	conf.Consensus.Stages = []consensus.Stage{consensus.StageExact, consensus.StageMajority}
	var all []datasets.Query
	for i := range queries {
		all = append(all, datasets.Query{
			ID: fmt.Sprint("q", i), Category: "c", Text: fmt.Sprintf("Question %d?", i),
			Gold: datasets.Gold{Type: answer.Text, Answer: "yes", Outcome: trace.Answered},
		})
	}
	data := datasets.New("small", all)
	seed := int64(1)
	draft, err := runner.NewDraft(stored.Of(data), runner.DescribeDataset(data), []config.Configuration{conf}, &seed, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	draft.Manifest.Configurations[0].Agent = "a1"
	plan := draft.Plan()
	plan.Arms[0].Agent, plan.Arms[0].Model = a, answering{}
	return draft, plan
}

// begun runs a plan until its first record, and then opens its folder to resume it.
func begun(t *testing.T, d runner.Draft, p runner.Plan, folder *store.Writer) (*store.Writer, *store.Prior) {
	t.Helper()
	drain := make(chan struct{})
	first := &witness{first: func() { close(drain) }}
	err := p.Run(t.Context(), folder, runner.Control{Drain: drain, Grace: time.Hour,
		Outputs: []runner.Output{before{first}, after{first}}})
	if err != nil && !errors.Is(err, runner.ErrDrained) {
		t.Fatal(err)
	}
	if err := folder.Finish(runner.StateAfter(err), time.Now()); err != nil {
		t.Fatal(err)
	}
	run, err := store.Open(folder.Dir())
	if err != nil {
		t.Fatal(err)
	}
	again, prior, err := run.Resume(time.Now(), d.Scope(false))
	if err != nil {
		t.Fatal(err)
	}
	return again, prior
}
