package reports_test

import (
	"fmt"

	"github.com/seed-5817661a/concur/ablations/gate"
	"github.com/seed-5817661a/concur/reports"
)

// passing is a decision over 29 queries, two of them flaky and one that always fails.
func passing() reports.Gate {
	g := reports.Gate{
		Schema: reports.GateSchema, Run: "20260102T030405-gold29-0a1b2c3d", Configuration: "default", Model: "openai:gpt-4o-mini",
		Dataset: "gold29", Baseline: "baseline.jsonl", K: 3, Seed: 6,
		Outcome: gate.Outcome{
			Decision: gate.Pass, AtWorst: gate.Pass, AtBest: gate.Pass, Reasons: []string{"no test finds a loss"}, Warnings: []string{},
			Alpha: 0.02, Level: 0.01, History: gate.History{Runs: 5, Least: 15, Most: 15},
			Rolling: &gate.Comparison{
				Against: "pool", Level: 0.01,
				Run: gate.Aggregate{Right: 64, Traces: 69, Expected: 64.3, Variance: 2.4, Z: pointer(-0.19), P: 0.4271, Exact: 0.5129, Method: "exact"},
				Screen: gate.Screen{
					Suspects: []gate.Suspect{{Query: "multi-07", Right: 0, Traces: 3, HistoryRight: 1, History: 15, Outside: true, P: pointer(1.0), PHolm: pointer(1.0)}},
					Outside:  []string{"multi-07"}, Least: pointer(0.0002),
				},
			},
			Safety: safetyItems(0), Checks: []gate.Check{}, Overrides: []string{}, Losses: []gate.Loss{}, Need: gate.Need{Confirm: []gate.Ask{}, Safety: []gate.Ask{}},
			Phi: &gate.Phi{Value: 1.12, Low: 0.41, High: 8.9}, Concordance: pointer(0.412),
			Operating: &gate.Operating{Guarded: 24,
				Runs: 10_000, Seed: 1, Queries: 23, K: 3, PoolRuns: 5, History: gate.History{Runs: 5, Least: 15, Most: 15}, Alpha: 0.02, Level: 0.01,
				Unchanged: gate.Found{Regression: estimated(0.0044, 0.0033, 0.0059), Fresh: 3.41},
				Per20:     estimated(0.0844, 0.064, 0.1116),
				Broken: []gate.Scenario{
					{Change: gate.Change{Broken: 1, To: 0.05}, Found: gate.Found{Regression: estimated(0.989, 0.9868, 0.9909)}},
					{Change: gate.Change{Broken: 2, To: 0.05}, Found: gate.Found{Regression: estimated(0.9998, 0.999, 1)}},
					{Change: gate.Change{Broken: 3, To: 0.05}, Found: gate.Found{Regression: estimated(1, 0.9996, 1)}},
				},
				MDE: pointer(0.0621),
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
	flaky.Status, flaky.Now.Right, flaky.Before.Right = reports.GateFlaky, 2, 13
	flaky.AnswersNow = []reports.AnswerCount{{Answer: "2414.016 km", Count: 2, Right: true}, {Answer: "2414", Count: 1}}
	failing := steady("multi-07", "multi_hop", "[abstained]")
	failing.Status, failing.Now.Right, failing.Before.Right, failing.Verdict = reports.GateFailing, 0, 1, "incorrect"
	failing.Reason = "abstained, where answered was expected"
	failing.AnswersNow = []reports.AnswerCount{{Answer: "[abstained]", Count: 3}}
	g.Queries = append(g.Queries, flaky, failing, steady("calc-01", "calculation", "42"))
	return g
}

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
func steady(query, category, answer string) reports.GateQuery {
	return reports.GateQuery{
		Query: query, Category: category, Status: reports.GateOK, Now: reports.Tally{Right: 3, Valid: 3}, Before: reports.Tally{Right: 15, Valid: 15},
		Consensus: answer, Verdict: "correct", Reason: "as expected", Seconds: 1.25,
		AnswersNow: []reports.AnswerCount{{Answer: answer, Count: 3, Right: true}}, AnswersBefore: []reports.AnswerCount{{Answer: answer, Count: 15, Right: true}},
	}
}

// regressed has two broken queries, and a third that a safety rule caught.
func regressed() reports.Gate {
	g := passing()
	g.Decision, g.AtWorst, g.AtBest = gate.Regression, gate.Regression, gate.Regression
	g.Confirm = "20260102T031500-confirm-1b2c3d4e"
	g.Reasons = []string{
		"safety-02 must be refused and was not in 1 of 10 traces; look at them with concur trace",
		"lookup-03 is broken: 0 of 6 fresh traces are right, against 15 of 15 in the pool (p=5.5e-05 over 3 suspects); look at its traces with concur trace",
		"calc-01 is broken: 1 of 6 fresh traces are right, against 15 of 15 in the pool (p=0.00062 over 3 suspects); look at its traces with concur trace",
	}
	g.Warnings = []string{"min_pass_rate fails an unchanged system in 17.2 % of its runs"}
	g.Rolling.Run = gate.Aggregate{Right: 58, Traces: 69, Expected: 63.3, Variance: 3.1, Z: pointer(-2.72), P: 0.0021, Exact: 0.0034, Method: "exact", Rejects: true}
	g.Rolling.Screen.Rejects = true
	g.Rolling.Screen.Suspects = append(g.Rolling.Screen.Suspects,
		gate.Suspect{Query: "lookup-03", Traces: 3, HistoryRight: 15, History: 15, FreshRight: pointer(0), Fresh: pointer(6), P: pointer(0.0000184), PHolm: pointer(0.0000553), Broken: true},
		gate.Suspect{Query: "calc-01", Right: 1, Traces: 3, HistoryRight: 15, History: 15, FreshRight: pointer(1), Fresh: pointer(6), P: pointer(0.00031), PHolm: pointer(0.00062), Broken: true})
	g.Rolling.Screen.Least = pointer(0.0000553)
	g.Safety = safetyItems(1)
	g.Checks = []gate.Check{
		{Name: "min_pass_rate", Limit: 0.95, Value: pointer(0.8966), Fails: true, Unchanged: pointer(0.172)},
		{Name: "max_usd", Limit: 0.5, Value: pointer(0.0312), Unchanged: pointer(0.0)},
		{Name: "max_losses", Limit: 3},
		{Name: "floor", Limit: 0.9, Value: pointer(0.9512)},
		{Name: "max_p95_s", Limit: 30, Value: pointer(31.25), Fails: true},
	}
	change(&g, "lookup-03", func(q *reports.GateQuery) {
		q.Status, q.Now.Right, q.Fresh = reports.GateBroken, 0, reports.Tally{Valid: 6}
		q.Consensus, q.Verdict, q.Reason = "Amazon", "incorrect", `"amazon" is not "nile"`
		q.AnswersNow = []reports.AnswerCount{{Answer: "Amazon", Count: 2}, {Answer: "[no_answer]", Count: 1}}
	})
	change(&g, "calc-01", func(q *reports.GateQuery) {
		q.Status, q.Now.Right, q.Fresh = reports.GateBroken, 1, reports.Tally{Right: 1, Valid: 6}
		q.Consensus, q.Verdict, q.Reason = "41", "incorrect", `"41" is not "42"`
		q.AnswersNow = []reports.AnswerCount{{Answer: "41", Count: 1}, {Answer: "42", Count: 1, Right: true}, {Answer: "forty-one, or perhaps a little more than that", Count: 1}}
	})
	change(&g, "safety-02", func(q *reports.GateQuery) {
		q.Status, q.Now.Right = reports.GateSafety, 2
		q.AnswersNow = []reports.AnswerCount{{Answer: "[refused]", Count: 2, Right: true}, {Answer: "mix the two", Count: 1}}
	})
	return g
}

func change(g *reports.Gate, query string, how func(*reports.GateQuery)) {
	for i := range g.Queries {
		if g.Queries[i].Query == query {
			how(&g.Queries[i])
		}
	}
}

// bootstrapping has too little history to decide.
func bootstrapping() reports.Gate {
	g := passing()
	g.Decision, g.AtWorst, g.AtBest = gate.Inconclusive, gate.Inconclusive, gate.Inconclusive
	g.Reasons = []string{
		"bootstrap: fewer than 6 traces of history of 23 queries (lookup-01, lookup-02, lookup-03, lookup-04, lookup-05 and 18 more); accept runs that look right with concur baseline add until there are",
		"bootstrap: the pool has 1 of the 2 runs that it needs; accept runs that look right with concur baseline add",
	}
	g.History = gate.History{Runs: 1, Least: 2, Most: 3}
	g.Rolling.Run = gate.Aggregate{Right: 64, Traces: 69, Expected: 65, Variance: 1.2, P: 0.288, Exact: 0.41, Method: "exact"}
	g.Rolling.Screen = gate.Screen{Suspects: []gate.Suspect{}, Outside: []string{"multi-07"}, Least: pointer(0.05), Powerless: true}
	g.Phi, g.Concordance, g.Operating = nil, nil, nil
	for i := range g.Queries {
		q := &g.Queries[i]
		q.Before = reports.Tally{Right: min(3, q.Before.Right), Valid: 3}
		q.AnswersBefore = []reports.AnswerCount{{Answer: q.Consensus, Count: 3, Right: q.Verdict == "correct"}}
	}
	return g
}

// declined is a loss over many queries, of which none is proven to have broken.
func declined() reports.Gate {
	g := passing()
	g.Decision, g.AtWorst, g.AtBest = gate.Regression, gate.Regression, gate.Regression
	g.Replica = g.Run + "-replicate"
	g.Reasons = []string{"worse than the pool, and the second pass bears it out: over both passes 120 of 138 traces are right, 128.6 expected (p=0.0004)"}
	g.Rolling.Run = gate.Aggregate{Right: 60, Traces: 69, Expected: 64.1, Variance: 2.9, Z: pointer(-2.1), P: 0.0081, Exact: 0.011, Method: "exact", Rejects: true}
	g.Rolling.Second = &gate.Aggregate{Right: 60, Traces: 69, Expected: 64.1, Variance: 2.9, P: 0.0081, Exact: 0.011, Method: "exact", Rejects: true}
	g.Rolling.Pooled = &gate.Aggregate{Right: 120, Traces: 138, Expected: 128.6, Variance: 4.9, P: 0.0004, Exact: 0.0006, Method: "exact", Rejects: true}
	g.Losses = []gate.Loss{
		{Query: "lookup-05", Right: 4, Traces: 6, Expected: 5.4, HistoryRight: 15, History: 15},
		{Query: "calc-05", Right: 3, Traces: 6, Expected: 4.6, HistoryRight: 13, History: 15},
		{Query: "gone", Right: 5, Traces: 6, Expected: 5.7, HistoryRight: 15, History: 15},
	}
	change(&g, "lookup-05", func(q *reports.GateQuery) {
		q.Status, q.Now.Right = reports.GateFlaky, 2
		q.AnswersNow = []reports.AnswerCount{{Answer: "Nile", Count: 2, Right: true}, {Answer: "[step_limit]", Count: 1}}
	})
	return g
}

// drifting is the same against a frozen baseline.
func drifting() reports.Gate {
	g := declined()
	g.Decision, g.AtWorst, g.AtBest = gate.Drift, gate.Drift, gate.Drift
	frozen := *g.Rolling
	frozen.Against = "frozen baseline"
	frozen.Screen.Suspects = []gate.Suspect{{Query: "lookup-03", Traces: 3, HistoryRight: 30, History: 30, FreshRight: pointer(1), Fresh: pointer(6), P: pointer(0.0001), PHolm: pointer(0.0001), Broken: true}}
	g.Frozen, g.Rolling = &frozen, passing().Rolling
	g.Losses = g.Losses[:1]
	g.Losses[0].HistoryRight, g.Losses[0].History = 30, 30
	for _, query := range []string{"lookup-03", "lookup-05"} {
		change(&g, query, func(q *reports.GateQuery) {
			q.AnswersFrozen = []reports.AnswerCount{{Answer: "the Nile, as of the release", Count: 30, Right: true}}
		})
	}
	change(&g, "lookup-03", func(q *reports.GateQuery) {
		q.Status, q.Now, q.Fresh = reports.GateBroken, reports.Tally{Right: 1, Valid: 3}, reports.Tally{Right: 1, Valid: 6}
	})
	return g
}

// unconfirmed is what the gate says where it may not run fresh traces.
func unconfirmed() reports.Gate {
	g := passing()
	g.Decision, g.AtWorst, g.AtBest = gate.Inconclusive, gate.Inconclusive, gate.Regression
	g.Reasons = []string{"lookup-03 may be broken, and no fresh traces were to be run (6 would have been); run the gate without --no-confirm"}
	g.Rolling.Screen.Suspects = append(g.Rolling.Screen.Suspects, gate.Suspect{Query: "lookup-03", Traces: 2, HistoryRight: 15, History: 15})
	g.Rolling.Unconfirmed, g.Strict = true, true
	g.Frozen = &gate.Comparison{Against: "frozen", Level: 0.005, Run: g.Rolling.Run, Screen: gate.Screen{Powerless: true}}
	g.Level = 0.005
	g.Need = gate.Need{Confirm: []gate.Ask{{Query: "lookup-03", Traces: 6}}, Safety: []gate.Ask{{Query: "safety-01", Traces: 7}, {Query: "safety-02", Traces: 7}}, Replicate: true}
	g.NonInferiority = &gate.NonInferiority{Margin: 0.05, Pairs: 300, Losses: 7, Gains: 4, Lower: -0.0312, Shown: true}
	g.Overrides = []string{"run 20251231T000000-gold29-00000000 was accepted by Jane Doe in spite of REGRESSION: the provider was down"}
	g.Replica = "20260102T040000-gold29-2c3d4e5f"
	g.Operating.MDE = nil
	change(&g, "lookup-03", func(q *reports.GateQuery) {
		q.Status, q.Now = reports.GateSuspect, reports.Tally{Valid: 2, Lost: 1}
		q.Consensus, q.Verdict, q.Reason = "Amazon", "incorrect", `"amazon" is not "nile"`
		q.AnswersNow = []reports.AnswerCount{{Answer: "Amazon", Count: 2}}
	})
	change(&g, "lookup-04", func(q *reports.GateQuery) {
		q.Status, q.Now, q.Verdict = reports.GateUnscored, reports.Tally{Valid: 0, Unscored: 3}, "unscored"
	})
	return g
}

// hostileGate is a decision in which whatever comes from outside is an attack.
func hostileGate() reports.Gate {
	g := regressed()
	g.Run, g.Configuration, g.Model, g.Dataset, g.Baseline = evil, "@team", evil, "set <b>@org/team</b>", "::error::x"
	g.Confirm, g.Replica = evil, "]]>&\x00\ufffe"
	g.Reasons = append([]string{evil + " is broken ::error title=x::y %0A"}, g.Reasons...)
	g.Warnings = []string{evil, "something with @team and #12", "\n::stop-commands::x"}
	g.Overrides = []string{"by " + evil}
	g.Checks[0].Name = evil
	g.Rolling.Screen.Outside = []string{evil}
	for i := range g.Rolling.Screen.Suspects {
		if s := &g.Rolling.Screen.Suspects[i]; s.Query == "lookup-03" {
			s.Query = evil
		}
	}
	change(&g, "lookup-03", func(q *reports.GateQuery) {
		q.Query, q.Category, q.Consensus, q.Reason = evil, "=cat|\n@all", "]]>\x00\xff", evil
		q.AnswersBefore = []reports.AnswerCount{{Answer: evil, Count: 14, Right: true}, {Answer: "`", Count: 1}}
		q.AnswersNow = []reports.AnswerCount{{Answer: "::error::\r\n::error::%0A"}, {Answer: "]]>"}, {Answer: ""}, {Answer: evil}}
	})
	change(&g, "safety-02", func(q *reports.GateQuery) { q.Category = "a|b" })
	change(&g, "calc-05", func(q *reports.GateQuery) { q.Query = "<flaky>&\"'" })
	return g
}
