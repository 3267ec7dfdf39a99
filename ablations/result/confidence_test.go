package result_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/trace"
)

// The twelve queries of docs/statistics.md#agreement-as-confidence.
func TestConfidence(t *testing.T) {
	c := votedAll(t, 3, twelve...).Confidence
	is(t, "ECE", &c.ECE, .166667)
	is(t, "Brier", &c.Brier, .185185)
	is(t, "AUROC", c.AUROC, .781250)
	is(t, "AURC", &c.AURC, .188815)
	is(t, "E-AURC", &c.ExcessAURC, .112384)
	is(t, "AUGRC", &c.AUGRC, .118056)
	want := []result.ConfidenceLevel{
		{Agreement: 1, Queries: 7, Correct: 6, Accuracy: newRate(6./7, .486872, .974321), Coverage: 7. / 12, Risk: 1. / 7},
		{Agreement: 2. / 3, Queries: 4, Correct: 2, Accuracy: newRate(.5, .150039, .849961), Coverage: 11. / 12, Risk: 3. / 11},
		{Agreement: 1. / 3, Queries: 1, Correct: 0, Accuracy: newRate(0, 0, .793450), Coverage: 1, Risk: 4. / 12},
	}
	if diff := cmp.Diff(want, c.Levels, cmpopts.EquateApprox(0, 1e-6)); diff != "" {
		t.Errorf("levels (-want +got):\n%s", diff)
	}
}

func newRate(value, low, high float64) result.Rate {
	return result.Rate{Value: value, CI: &result.Interval{Method: "wilson", Level: 0.95, Low: low, High: high}}
}

func TestConfidenceAtTheEdges(t *testing.T) {
	for _, c := range []struct {
		name    string
		k       int
		queries []string
		levels  int // 0 is undefined
		auroc   string
	}{
		{"one trace", 1, []string{"+a", "-a"}, 0, "undefined"},
		{"no queries", 3, nil, 0, "undefined"},
		{"all right", 3, []string{"+a +a +a", "+a +a +a"}, 1, "undefined"},
		{"all wrong", 3, []string{"-a -a -a", "0 0 0"}, 2, "undefined"},
		{"all lost", 3, []string{"! ! !"}, 0, "undefined"},
		{"one lost", 3, []string{"! ! !", "+a +a +a", "+a +a -b"}, 2, "undefined"},
		{"a perfect order", 3, []string{"+a +a +a", "-a -a -b"}, 2, "1"},
	} {
		got := votedAll(t, c.k, c.queries...).Confidence
		if got == nil {
			got = &result.Confidence{}
		}
		if len(got.Levels) != c.levels || figure(got.AUROC) != c.auroc {
			t.Errorf("%s: %+v, AUROC %s, want %d levels and %s", c.name, got, figure(got.AUROC), c.levels, c.auroc)
		}
	}
}

// Unscored is neither right nor wrong, and the verdict is the record's, whoever gave it.
func TestConfidenceIsByTheVerdict(t *testing.T) {
	m := manifest(2, 3, "default")
	m.Configurations[0].Pass = "quality"
	lost, judged := voted("default", "a", "lookup", "+a ! !"), voted("default", "b", "lookup", "-a -a -a")
	judged.Verdict = judge.Verdict{Verdict: judge.Correct, By: judge.ByQuality}
	row := summarize(t, m, lost, judged).Configurations[0]
	if c := row.Confidence; len(c.Levels) != 1 || c.Levels[0].Correct != 1 || c.Levels[0].Coverage != 1 || c.Unscored != 1 {
		t.Errorf("%+v, want one right at agreement 1, and one left out", c)
	}
	is(t, "mean agreement, of what lost nothing", row.Consensus.MeanAgreement, 1)
}

// A trace with an undecided check has no vote, so its query has no agreement to average.
func TestAgreementWithoutVotes(t *testing.T) {
	decided := record("default", "q-1", "lookup", judge.Correct, trace.Answered, trace.Answered)
	open := record("default", "q-2", "lookup", judge.Unscored, trace.Infra, trace.Infra)
	for i := range open.Answers { // the traces ended well; only their votes are lost
		open.Answers[i].Outcome, open.Answers[i].StopReason = trace.Answered, trace.Final
	}
	open.Verdict.By = judge.ByChecks
	row := summarize(t, manifest(2, 2, "default"), decided, open).Configurations[0]
	is(t, "mean agreement", row.Consensus.MeanAgreement, 1)
}
