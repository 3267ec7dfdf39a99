package baseline_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-5817661a/concur/ablations/baseline"
	"github.com/seed-5817661a/concur/ablations/gate"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

// written puts a pass into a run folder, as a run does.
func written(t *testing.T, p baseline.Pass) *store.Run {
	t.Helper()
	m := p.Manifest
	m.Configurations = slices.Clone(m.Configurations)
	for i := range m.Configurations { // the name stands one level above
		m.Configurations[i].Configuration.Name = ""
	}
	w, err := store.Create(t.TempDir(), m)
	if err != nil {
		t.Fatal(err)
	}
	for id, message := range p.Messages {
		w.Event(trace.Event{ID: id, Time: onDay(1), Body: trace.Conclusion{Message: message, Outcome: trace.Answered, StopReason: trace.Final, Extract: "line"}})
		for _, purpose := range []model.Purpose{model.Agent, model.Verifier} {
			name, reply := string(purpose)+"-model", model.Message{Role: model.Assistant, Content: message}
			w.Exchange(store.Exchange{
				Identity: model.Identity{Agent: id.Agent, Query: id.Query, Trace: id.Trace, Purpose: purpose},
				Time:     onDay(1), Response: &reply, Model: &name, Attempts: 1,
			})
		}
	}
	for _, r := range p.Records {
		w.Record(r)
		r.Configuration = "other"
		w.Record(r)
	}
	if err := w.Finish(store.Complete, onDay(1).Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	run, err := store.Open(w.Dir())
	if err != nil {
		t.Fatal(err)
	}
	return run
}

// The expected tool calls give every trace a verdict, as the gold does; judges do not.
func TestJudged(t *testing.T) {
	for pass, want := range map[judge.Mode]bool{"gold": true, "gold+tools": true, "correctness": false, "quality": false, "both": false} {
		p := fullPass(1, smallSet(), "+++ +-+ ++-")
		p.Configuration.Pass, p.Records[0].Verdict.By = pass, judge.ByTools
		if err := p.Judged(); (err == nil) != want {
			t.Errorf("%s: %v", pass, err)
		}
		if p.Records[0].Verdict.By = judge.ByJudge; p.Judged() == nil {
			t.Errorf("%s: a condition in words was taken", pass)
		}
	}
}

func TestReadPass(t *testing.T) {
	d := smallSet()
	want := fullPass(1, d, "+++ +-+ ++-")
	want.Manifest.Configurations = append(want.Manifest.Configurations, store.Configuration{Name: "other", Agent: "4e4e"})
	run := written(t, want)
	got, err := baseline.ReadPass(run, "default")
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Records) != 3 || len(got.Messages) != 9 || !slices.Equal(got.Models, []string{"agent-model"}) {
		t.Errorf("%d records, %d messages, models %v", len(got.Records), len(got.Messages), got.Models)
	}
	b := &baseline.Baseline{}
	if err := b.Add(baseline.Candidate{Pass: got, Decision: gate.Pass}, d); err != nil {
		t.Fatal(err)
	}
	want.Models, want.Copies = []string{"agent-model"}, got.Copies
	same := &baseline.Baseline{}
	if err := same.Add(baseline.Candidate{Pass: want, Decision: gate.Pass}, d); err != nil {
		t.Fatal(err)
	}
	if encoded(t, b) != encoded(t, same) {
		t.Errorf("from the folder it is\n%s\nand of the run itself\n%s", encoded(t, b), encoded(t, same))
	}
	if _, err := baseline.ReadPass(run, ""); err == nil || !strings.Contains(err.Error(), "name one of default, other") {
		t.Errorf("no configuration: %v", err)
	}
	run.Manifest.Seed = 99
	if _, err := baseline.ReadPass(run, "default"); err == nil || !strings.Contains(err.Error(), "was changed since it began") {
		t.Errorf("an edited manifest: %v", err)
	}
}
