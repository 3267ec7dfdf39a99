package reports_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/reports"
	"github.com/seed-5817661a/concur/reports/document"
)

// traced is a comparison of two rows of three traces, whose votes show nothing and whose single traces do.
func traced() *result.Result {
	r := offlineAblation()
	r.Configurations, r.Comparisons, r.Family, r.Warnings = r.Configurations[:3], r.Comparisons[1:2], nil, nil
	r.Configurations = append(r.Configurations[:1], r.Configurations[2])
	for i, value := range []float64{.85, .75} {
		r.Configurations[i].Clustered = nil
		r.Configurations[i].Singles = &result.Singles{Estimate: result.Estimate{Value: pointer(value), CI: pointer(wilson(value-.08, value+.07)), Queries: 29}, Traces: 87}
	}
	c := &r.Comparisons[0]
	c.Call = result.Undetermined
	c.Singles = &result.SinglesComparison{
		Queries: 29, Before: pointer(.85), Now: pointer(.75), Difference: pointer(-.10), CI: &result.Interval{Method: "tango-cr2", Level: .95, Low: -.17, High: -.03},
		PT: pointer(.008), PSignFlip: pointer(.009), Method: "score-t", PHolm: pointer(.008), PEqual: pointer(.9), PEqualHolm: pointer(.9),
		Call: result.Worse, MDE: pointer(.108), MDEHolm: pointer(.108),
	}
	return r
}

func shown(t *testing.T, r *result.Result) string {
	t.Helper()
	return written(t, func(b *bytes.Buffer) error { return reports.Write(b, document.FormatTable, r, reports.Options{}) })
}

func TestSingleTraces(t *testing.T) {
	open := func(r *result.Result) *result.SinglesComparison {
		s := r.Comparisons[0].Singles
		s.Call, s.Difference, s.CI.High, s.PT = result.Undetermined, pointer(-.02), .05, pointer(.4)
		s.ToDetect = &result.ToDetect{Drop: .1, Queries: pointer(70), K: pointer(7)}
		return s
	}
	for name, c := range map[string]struct {
		change func(*result.Result)
		want   []string
	}{
		"votes cannot tell": {func(*result.Result) {}, []string{
			"single traces   right [95 %]  against full, points      p\n",
			"no planner     75 % [67, 82]  −10 worse (−17 … −3)  0.008\n",
			"\nThe single traces of no planner are worse than those of full by 10 points [3, 17]; 29 queries do not show whether the votes are.\n",
		}},
		"votes are equal": {func(r *result.Result) { r.Comparisons[0].Call = result.Equivalent },
			[]string{"[3, 17]; its votes are as good within 10 points.\n"}},
		"nothing shown": {func(r *result.Result) { open(r) }, []string{
			"With 29 queries, a drop of 11 points in single traces, or of 34 in votes, would be shown in four of five such tables, a smaller one less often. To see 10 points takes about 70 queries, or K=7.\n",
		}},
		"more traces are not enough": {func(r *result.Result) { open(r).ToDetect.K = nil }, []string{" To see 10 points takes about 70 queries.\n"}},
		"only votes": {func(r *result.Result) { open(r).MDE = nil; open(r).ToDetect = nil },
			[]string{"With 29 queries, a drop of 34 points would be shown in four of five such tables, a smaller one less often.\n"}},
		"at most": {func(r *result.Result) { open(r); r.Comparisons[0].MDEAtMost = true },
			[]string{"a drop of at most 11 points in single traces, or of at most 34 in votes,"}},
		"verdicts are missing": {func(r *result.Result) {
			*r.Comparisons[0].Singles = result.SinglesComparison{Queries: 29, Unruled: 12}
			r.Configurations[1].Singles = &result.Singles{Estimate: result.Estimate{Queries: 29}, Unruled: 12, Bounds: &[2]float64{.6, .74}}
		}, []string{"¹ single traces are not compared: 12 traces have no verdict", "no planner¹          60–74 %"}},
		"few queries, many traces": {func(r *result.Result) { r.Comparisons[0].Singles.MayMiss = true },
			[]string{"a change that breaks few queries may be missed"}},
	} {
		r := traced()
		c.change(r)
		got := shown(t, r)
		for _, want := range c.want {
			if !strings.Contains(got, want) {
				t.Errorf("%s: no %q in\n%s", name, want, got)
			}
		}
	}
	one := traced()
	one.Configurations[0].K, one.Configurations[1].K = 1, 1
	if got := shown(t, one); strings.Contains(got, "single traces") {
		t.Errorf("of one trace a query, votes are single traces:\n%s", got)
	}
}

func TestByClusters(t *testing.T) {
	units := func(r *result.Result) *result.ClusterUnits {
		for i := range r.Configurations {
			r.Configurations[i].Clustered = &result.Clustered{Clusters: 12, Effective: 10, CI: r.Configurations[i].CI}
		}
		r.Comparisons[0].Clusters = &result.ClusterUnits{Clusters: 12, Effective: 10, Enough: true}
		r.Comparisons[0].Singles.Method = "sign-flip"
		return r.Comparisons[0].Clusters
	}
	for name, c := range map[string]struct {
		change func(*result.Result)
		want   []string
	}{
		"rows without an interval": {func(r *result.Result) {
			units(r)
			r.Configurations[0].CI, r.Configurations[0].Clustered.CI = nil, nil
		}, []string{"\nfull¹            24/29              83 % ", "¹ 12 clusters are too few, or too unequal, for an interval\n"}},
		"enough": {func(r *result.Result) { units(r) }, []string{
			"against full, points\n", "by clusters (12)  lost", "by clusters (12)          p",
		}},
		"the next whole point": {func(r *result.Result) {
			units(r)
			s := r.Comparisons[0].Singles
			s.Call, s.MDE, r.Comparisons[0].MDE = result.Undetermined, pointer(.1001), pointer(.2203)
		}, []string{"a drop of 11 points in single traces, or of 23 in votes,"}},
		"too few": {func(r *result.Result) {
			u := units(r)
			u.Clusters, u.Enough, u.Table = 2, false, []result.ClusterPair{{Cluster: "doc-a", Queries: 20, CorrectBefore: 18, CorrectNow: 12}, {Queries: 9, CorrectBefore: 6, CorrectNow: 6}}
			r.Comparisons[0].Singles.Call = result.Undetermined
		}, []string{
			"¹ 2 clusters: no interval and no call; right before and now: doc-a 18 and 12 of 20, without a cluster 6 and 6 of 9\n",
			"These clusters are too few or too unequal to show any drop.\n",
		}},
		"one large": {func(r *result.Result) {
			u := units(r)
			u.Enough, u.Table = false, []result.ClusterPair{{Cluster: "doc-a", Queries: 22}}
		}, []string{"¹ one cluster holds 76 % of the queries: no interval and no call"}},
		"renamed": {func(r *result.Result) { units(r).Renamed = true },
			[]string{"¹ its clusters differ from the baseline's, which are used"}},
	} {
		r := traced()
		c.change(r)
		got := shown(t, r)
		for _, want := range c.want {
			if !strings.Contains(got, want) {
				t.Errorf("%s: no %q in\n%s", name, want, got)
			}
		}
	}
}

// Under a table with K > 1 is what the vote was worth: of the baseline, or of the row with the most traces.
func TestVoteWorth(t *testing.T) {
	worth := &result.VoteWorth{Queries: 40, Worth: .068, CI: &result.Interval{Low: .021, High: .118}, EffectiveTraces: pointer(1.24), Hanging: 5, Share: .125, ShareCI: &result.Interval{Low: .05, High: .26}}
	r := variantAlone()
	written := func(o reports.Options) string {
		var b bytes.Buffer
		if err := reports.Write(&b, document.FormatTable, r, o); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	if text := written(reports.Options{}); strings.Contains(text, "what the vote") {
		t.Error(text)
	}
	r.Configurations[0].Vote = worth
	want := "what the vote was worth here: +7 points against a single trace [+2, +12]; the 3 traces of a query are worth 1.2 independent ones; 5 of 40 verdicts depend on a tie or on one trace (12 % [5, 26])"
	if text := written(reports.Options{}); !strings.Contains(text, want) {
		t.Errorf("without %q:\n%s", want, text)
	}
	r = offlineAblation()
	for i := range r.Configurations {
		if r.Configurations[i].K > 1 {
			r.Configurations[i].Vote = worth
		}
	}
	if text := written(reports.Options{}); strings.Count(text, "what the vote was worth for") != 1 || !strings.Contains(text, "worth for full:") {
		t.Error(text)
	}
	if text := written(reports.Options{Explain: true}); strings.Count(text, "what the vote was worth for") < 4 {
		t.Error(text)
	}
	r.Configurations[0].Vote = nil
	if text := written(reports.Options{}); strings.Count(text, "what the vote was worth for") != 1 {
		t.Error(text)
	}
}
