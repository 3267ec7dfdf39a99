package reports_test

import (
	"bytes"
	"flag"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/trace"
)

var update = flag.Bool("update", false, "write the golden files anew")

// golden compares text with a file beside its source.
func golden(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got); run with -update if the change is meant:\n%s", path, diff)
	}
}

// written is what a report wrote.
func written(t *testing.T, write func(*bytes.Buffer) error) string {
	t.Helper()
	var b bytes.Buffer
	if err := write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// record is one of traces that answered, refused and so on as its words say: "refused",
// "abstained", "no_answer", "infra", and anything else is an answer and its own key.
func record(query string, verdict judge.Ruling, reason string, words ...string) store.Record {
	r := store.Record{
		Configuration: "default", Query: query, Category: "lookup", Question: "Which river is the longest?", Agent: "3f2a",
		Verdict: judge.Verdict{Verdict: verdict, By: "gold", Reason: reason},
	}
	ballots := make([]consensus.Ballot, len(words))
	for i, w := range words {
		b := consensus.Ballot{Trace: i, Outcome: trace.Outcome(w), Key: w}
		a := store.Answer{Trace: i, Outcome: b.Outcome, StopReason: trace.Final}
		switch b.Outcome {
		case trace.Refused, trace.Abstained:
		case trace.NoAnswer:
			b.Key, a.StopReason = "", trace.MaxSteps
		case trace.Infra:
			b.Key, a.StopReason = "", trace.Timeout
		default:
			b.Outcome, b.Answer, b.Key = trace.Answered, w, "text:"+w
			a.Outcome, a.Answer = trace.Answered, &w
		}
		ballots[i] = b
		r.Answers = append(r.Answers, a)
	}
	r.Consensus = consensus.Decide(ballots, []consensus.Stage{consensus.StageExact, consensus.StageMajority})
	return r
}
