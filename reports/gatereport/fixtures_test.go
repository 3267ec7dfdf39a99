package gatereport_test

import (
	"fmt"

	"github.com/seed-5817661a/concur/ablations/gate"
	"github.com/seed-5817661a/concur/reports/document"
	"github.com/seed-5817661a/concur/reports/gatereport"
	"github.com/seed-5817661a/concur/reports/reporttest"
)

// passing is a decision over 29 queries, two of them flaky and one that always fails.
func passing() gatereport.Report {
	g := gatereport.Report{
		Schema: gatereport.Schema, Run: gated, Configuration: "default", Title: "openai:gpt-4o-mini", Model: "openai:gpt-4o-mini",
		Dataset: "gold29", Baseline: "baseline.jsonl", K: 3, Seed: 6,
		Outcome: gate.Outcome{
			Decision: gate.Pass, Reasons: []string{"no test finds a loss"}, Warnings: []string{},
			Alpha: 0.003, History: gate.History{Runs: 5, Least: 15, Most: 15}, NotGated: []gate.NotGated{},
			Rolling: &gate.Comparison{
				Against: "pool", Queries: 23, AlphaA: 0.0005, AlphaB: 0.0025, Least: 0.0002,
				Slips: []gate.QueryLoss{{Query: "multi-07", Right: 0, Traces: 3, HistoryRight: 1, History: 15, P: 0.8333}},
				Looks: []gate.TotalLook{{Right: 64, Traces: 69, Expected: 64.3, P: 0.5129}},
			},
			Safety: safetyItems(0), Checks: []gate.Check{}, Overrides: []string{}, Losses: []string{}, Need: []gate.FreshRequest{},
			Phi: &gate.Phi{Value: 1.12, Low: 0.41, High: 8.9, P: 0.345}, Concordance: new(0.412),
			Operating: &gate.Operating{
				Runs: 10_000, Seed: 1, Queries: 23, K: 3, PoolRuns: 5, History: gate.History{Runs: 5, Least: 15, Most: 15}, Alpha: 0.003, Mean: 0.93,
				Unchanged: gate.Found{Found: estimated(0.0004, 0.0002, 0.0010), Fresh: 10.31, FreshP95: 42},
				Changes: []gate.Scenario{
					{Change: gate.Change{Broken: 1, To: 0.05}, Found: gate.Found{Found: estimated(0.997, 0.9957, 0.9979), Fresh: 12.1, FreshP95: 27}},
					{Change: gate.Change{Broken: 2, To: 0.05}, Found: gate.Found{Found: estimated(0.9998, 0.999, 1)}},
					{Change: gate.Change{Broken: 1, To: 0.5}, Found: gate.Found{Found: estimated(0.308, 0.2991, 0.3172)}},
					{Change: gate.Change{Drop: 0.1}, Found: gate.Found{Found: estimated(0.897, 0.8909, 0.9028)}},
				},
				MDE: new(0.0821),
			},
		},
	}
	for i := range 20 {
		g.Queries = append(g.Queries, steady(fmt.Sprintf("lookup-%02d", i+1), "lookup", "Nile"))
	}
	for i := range 6 {
		q := steady(fmt.Sprintf("safety-%02d", i+1), "safety", "[refused]")
		q.Safety = true
		g.Queries = append(g.Queries, q)
	}
	flaky := steady("calc-05", "calculation", "2414.016 km")
	flaky.Status, flaky.Now, flaky.Before = gatereport.StatusFlaky, tally(2, 3), tally(13, 15)
	flaky.Passes = inRun(flaky.Now, []document.AnswerCount{{Answer: "2414.016 km", Count: 2, Right: true}, {Answer: "2414", Count: 1}}...)
	failing := steady("multi-07", "multi_hop", "[abstained]")
	failing.Status, failing.Now, failing.Before = gatereport.StatusFailing, tally(0, 3), tally(1, 15)
	failing.Passes = inRun(failing.Now, []document.AnswerCount{{Answer: "[abstained]", Count: 3}}...)
	g.Queries = append(g.Queries, flaky, failing, steady("calc-01", "calculation", "42"))
	return g
}

func tally(right, scored int) gate.Traces { return gate.Traces{Right: right, Wrong: scored - right} }

func estimated(value, low, high float64) gate.Estimate {
	return gate.Estimate{Value: value, Low: low, High: high}
}

func safetyItems(failed int) []gate.SafetyItem {
	var out []gate.SafetyItem
	for i := range 6 {
		out = append(out, gate.SafetyItem{Query: fmt.Sprintf("safety-%02d", i+1), Traces: 10, Upper: 0.2589})
	}
	if failed > 0 {
		out[1].Failed, out[1].Upper = failed, 0.3942
	}
	return out
}

// steady is a query that was right in all traces, and is.
func steady(query, category, answer string) gatereport.Query {
	return gatereport.Query{
		Query: query, Category: category, Status: gatereport.StatusOK, Now: tally(3, 3), Before: tally(15, 15),
		Seconds:  1.25,
		Expected: answer, Passes: inRun(tally(3, 3), document.AnswerCount{Answer: answer, Count: 3, Right: true}), AnswersBefore: []document.AnswerCount{{Answer: answer, Count: 15, Right: true}},
	}
}

// gated is the run that is gated; its fresh traces are beside it.
const gated = "20260102T030405-gold29-0a1b2c3d"

func inRun(traces gate.Traces, answers ...document.AnswerCount) []gatereport.QueryPass {
	return []gatereport.QueryPass{{Run: gated, Traces: traces, Answers: answers}}
}

func inFresh(traces gate.Traces, answers ...document.AnswerCount) gatereport.QueryPass {
	return gatereport.QueryPass{Run: gated + "-fresh", Traces: traces, Answers: answers}
}

// regressed has two broken queries, and a third that a safety rule caught.
func regressed() gatereport.Report {
	g := passing()
	g.Decision = gate.Regression
	g.Fresh = []string{gated + "-fresh"}
	g.Differs = []string{"agent.tools: calc is gone", "corpus: 1 document fewer (VPN access)"}
	g.Reasons = []string{
		"safety-02 must be refused and was not in 1 of 10 traces",
		"2 queries are broken: lookup-03, calc-01",
		"lookup-03 is broken: 15 of 15 right before → 0 of 3 in the run, 0 of 6 fresh",
		"calc-01 is broken: 15 of 15 right before → 1 of 3 in the run, 1 of 6 fresh",
	}
	g.Clusters = []gatereport.Cluster{{Cluster: "nile.txt", Queries: 4, Fell: 3}, {Cluster: "sums", Queries: 2, Fell: 2}, {Cluster: "c", Queries: 3, Fell: 2}, {Cluster: "d", Queries: 3, Fell: 2}}
	g.Warnings = []string{"min-pass-rate fails an unchanged system in 17.2 % of its runs"}
	g.Rolling.Looks = nil
	look := func(right int, p float64) []gate.QueryLook {
		return []gate.QueryLook{{Fresh: 6, Right: right, P: p, Level: 4.2e-5}}
	}
	g.Rolling.Slips = append(g.Rolling.Slips,
		gate.QueryLoss{Query: "lookup-03", Traces: 3, HistoryRight: 15, History: 15, P: 0.001, Suspect: true, Looks: look(0, 0.0000184), Broken: true},
		gate.QueryLoss{Query: "calc-01", Right: 1, Traces: 3, HistoryRight: 15, History: 15, P: 0.02, Suspect: true, Looks: look(1, 0.00031), Broken: true})
	g.Safety = safetyItems(1)
	g.Checks = []gate.Check{
		{Name: "min-pass-rate", Limit: 0.95, Value: new(0.8966), Fails: true},
		{Name: "max-usd", Limit: 0.5, Value: new(0.0312)},
		{Name: "max-usd", Limit: 3},
		{Name: "floor", Limit: 0.9, Value: new(0.9512)},
		{Name: "max-p95", Limit: 30, Value: new(31.25), Fails: true},
	}
	change(&g, "lookup-03", func(q *gatereport.Query) {
		q.Status, q.Now, q.Fresh = gatereport.StatusBroken, tally(0, 3), tally(0, 6)
		q.Passes = append(q.Passes, inFresh(q.Fresh, document.AnswerCount{Answer: "Amazon", Count: 6}))
		q.Passes[0].Answers = []document.AnswerCount{{Answer: "Amazon", Count: 2}, {Answer: "[no_answer]", Count: 1}}
	})
	change(&g, "calc-01", func(q *gatereport.Query) {
		q.Status, q.Now, q.Fresh = gatereport.StatusBroken, tally(1, 3), tally(1, 6)
		q.Passes = append(q.Passes, inFresh(q.Fresh, document.AnswerCount{Answer: "41", Count: 5}, document.AnswerCount{Answer: "42", Count: 1, Right: true}))
		q.Passes[0].Diff = "1,0"
		q.Passes[0].Answers = []document.AnswerCount{{Answer: "41", Count: 1}, {Answer: "42", Count: 1, Right: true}, {Answer: "forty-one, or perhaps a little more than that", Count: 1}}
	})
	change(&g, "safety-02", func(q *gatereport.Query) {
		q.Status, q.Now = gatereport.StatusSafety, tally(2, 3)
		q.Passes[0].Answers = []document.AnswerCount{{Answer: "[refused]", Count: 2, Right: true}, {Answer: "mix the two", Count: 1}}
	})
	return g
}

func change(g *gatereport.Report, query string, how func(*gatereport.Query)) {
	for i := range g.Queries {
		if g.Queries[i].Query == query {
			how(&g.Queries[i])
			g.Queries[i].Passes[0].Traces = g.Queries[i].Now
		}
	}
}

// bootstrapping has too little history to decide.
func bootstrapping() gatereport.Report {
	g := passing()
	g.Decision = gate.Inconclusive
	g.Reasons = []string{
		"bootstrap: 0 of 23 queries have 4 traces from 2 accepted runs, and the gate needs half of them; accept runs that look right with `concur baseline add`",
	}
	g.History = gate.History{Runs: 1, Least: 2, Most: 3}
	g.Rolling = nil
	for i := range 20 {
		g.NotGated = append(g.NotGated, gate.NotGated{Query: fmt.Sprintf("lookup-%02d", i+1), Traces: 3, Runs: 1})
	}
	g.Phi, g.Concordance, g.Operating = nil, nil, nil
	for i := range g.Queries {
		q := &g.Queries[i]
		q.Before = tally(min(3, q.Before.Right), 3)
		q.AnswersBefore = []document.AnswerCount{{Answer: q.Expected, Count: 3, Right: q.Status == gatereport.StatusOK}}
	}
	return g
}

// declined is a loss over many queries, of which none is proven to have broken.
func declined() gatereport.Report {
	g := passing()
	g.Decision = gate.Regression
	g.Fresh = []string{gated + "-fresh"}
	g.Reasons = []string{"worse over all queries: 318 of 345 right before → 60 of 69 in the run, 60 of 69 fresh"}
	g.Rolling.Looks = []gate.TotalLook{{Right: 60, Traces: 69, Expected: 64.1, P: 0.0081}, {Fresh: 1, Right: 80, Traces: 92, Expected: 86, P: 0.004}, {Fresh: 3, Right: 120, Traces: 138, Expected: 128.6, P: 0.00004, Level: 0.00005}}
	g.Losses = []string{"lookup-05", "calc-05"}
	change(&g, "calc-05", func(q *gatereport.Query) { q.Status = gatereport.StatusLost })
	change(&g, "lookup-05", func(q *gatereport.Query) {
		q.Status, q.Now = gatereport.StatusLost, tally(2, 3)
		q.Passes[0].Answers = []document.AnswerCount{{Answer: "Nile", Count: 2, Right: true}, {Answer: "[step_limit]", Count: 1}}
	})
	return g
}

// drifting is the same against a frozen baseline.
func drifting() gatereport.Report {
	g := declined()
	g.Decision = gate.Drift
	frozen := *g.Rolling
	frozen.Against = "frozen baseline"
	frozen.Slips = []gate.QueryLoss{{Query: "lookup-03", Traces: 3, HistoryRight: 30, History: 30, P: 0.001, Suspect: true, Broken: true, Looks: []gate.QueryLook{{Fresh: 6, Right: 1, P: 0.0001, Level: 0.0001}}}}
	g.Frozen, g.Rolling = &frozen, passing().Rolling
	g.Losses = g.Losses[:1]
	for _, query := range []string{"lookup-03", "lookup-05"} {
		change(&g, query, func(q *gatereport.Query) {
			q.Before = tally(30, 30)
			q.AnswersBefore = []document.AnswerCount{{Answer: "the Nile, as of the release", Count: 30, Right: true}}
		})
	}
	change(&g, "lookup-03", func(q *gatereport.Query) {
		q.Status, q.Now, q.Fresh = gatereport.StatusBroken, tally(1, 3), tally(1, 6)
	})
	return g
}

// unconfirmed is what the gate says where it may not run fresh traces.
func unconfirmed() gatereport.Report {
	g := passing()
	g.Decision = gate.Inconclusive
	g.Reasons = []string{"3 fresh traces of 1 query (lookup-03) are needed, and were not run (--no-confirm): repeat the gate command without that"}
	g.Rolling.Slips = append(g.Rolling.Slips, gate.QueryLoss{Query: "lookup-03", Traces: 2, HistoryRight: 15, History: 15, P: 0.01, Suspect: true})
	g.Rolling.Looks, g.Strict, g.As = nil, true, "release"
	g.Frozen = &gate.Comparison{Against: "frozen baseline", Queries: 1, AlphaA: 0.000015, AlphaB: 0.0005, Least: 0.5, Blind: []string{"lookup-01"}}
	g.Rolling.Blind = []string{"multi-07"}
	g.Need = []gate.FreshRequest{{Query: "lookup-03", Traces: 3}, {Query: "safety-01", Traces: 7}, {Query: "safety-02", Traces: 7}}
	g.NonInferiority = &gate.NonInferiority{Margin: 0.05, Pairs: 300, Losses: 7, Gains: 4, Lower: -0.0312, Shown: true}
	g.Overrides = []string{"run 20251231T000000-gold29-00000000 was accepted by Jane Doe in spite of REGRESSION: the provider was down"}
	g.Operating.MDE = nil
	change(&g, "lookup-03", func(q *gatereport.Query) {
		q.Status, q.Now = gatereport.StatusSuspect, gate.Traces{Wrong: 2, Infra: 1}
		q.Passes[0].Answers = []document.AnswerCount{{Answer: "Amazon", Count: 2}}
	})
	change(&g, "lookup-04", func(q *gatereport.Query) {
		q.Status, q.Now = gatereport.StatusUnscored, gate.Traces{Unscored: 3}
	})
	return g
}

// hostileGate is a decision in which whatever comes from outside is an attack.
func hostileGate() gatereport.Report {
	g := regressed()
	g.Run, g.Configuration, g.Model, g.Dataset, g.Baseline = reporttest.Evil, "@team", reporttest.Evil, "set <b>@org/team</b>", "::error::x"
	g.Fresh, g.Differs, g.As = []string{reporttest.Evil, "]]>&\x00\ufffe"}, []string{reporttest.Evil, "@team"}, reporttest.Evil
	g.NotGated = []gate.NotGated{{Query: reporttest.Evil}}
	g.Reasons = append([]string{reporttest.Evil + " is broken ::error title=x::y %0A"}, g.Reasons...)
	g.Warnings = []string{reporttest.Evil, "something with @team and #12", "\n::stop-commands::x"}
	g.Overrides = []string{"by " + reporttest.Evil}
	g.Checks[0].Name = reporttest.Evil
	g.Rolling.Blind = []string{reporttest.Evil}
	for i := range g.Rolling.Slips {
		if s := &g.Rolling.Slips[i]; s.Query == "lookup-03" {
			s.Query = reporttest.Evil
		}
	}
	change(&g, "lookup-03", func(q *gatereport.Query) {
		q.Expected, q.Passes[0].Run = reporttest.Evil, reporttest.Evil
		q.Query, q.Category = reporttest.Evil, "=cat|\n@all"
		q.AnswersBefore = []document.AnswerCount{{Answer: reporttest.Evil, Count: 14, Right: true}, {Answer: "`", Count: 1}}
		q.Passes[0].Answers = []document.AnswerCount{{Answer: "::error::\r\n::error::%0A"}, {Answer: "]]>"}, {Answer: ""}, {Answer: reporttest.Evil}}
	})
	change(&g, "safety-02", func(q *gatereport.Query) { q.Category = "a|b" })
	change(&g, "calc-05", func(q *gatereport.Query) { q.Query = "<flaky>&\"'" })
	return g
}
