package reports_test

import (
	"fmt"

	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

func wilson(low, high float64) result.Interval {
	return result.Interval{Method: "wilson", Level: 0.95, Low: low, High: high}
}

func rated(value, low, high float64, queries int) result.Estimate {
	ci := wilson(low, high)
	return result.Estimate{Value: &value, CI: &ci, Queries: queries}
}

// variant is a row of an ablation: full, with another number of right queries.
func variant(name string, correct int, low, high float64, note string) result.Configuration {
	c := full(name, "offline:reader")
	c.Agent, c.Note = "agent-"+name, note
	c.Counts = result.Counts{Queries: 29, Correct: correct, Incorrect: 29 - correct}
	c.PassRate, c.CI = pointer(float64(correct)/29), pointer(wilson(low, high))
	c.Citations = result.Citations{Audited: 64, Grounded: 64, Share: pointer(1.0)}
	c.Judge = result.Judge{CorrectnessModel: "offline:reader", QualityModel: "offline:reader", Threshold: pointer(4), CorrectnessPassRate: pointer(0.83), CorrectnessRead: 5, CorrectnessFollowed: 24, QualityPassRate: pointer(0.8), QualityMean: pointer(4.6)}
	c.Reliability = result.Reliability{
		PassAtK: rated(0.8966, 0.736, 0.9642, 29), PassHatK: rated(0.7586, 0.5789, 0.8778, 29),
		Unanimous: pointer(23), UnanimousCorrect: pointer(22),
		AccuracyIfUnanimous: &result.Rate{Value: 22.0 / 23, CI: pointer(wilson(0.7901, 0.9923))}, ICC: pointer(0.71),
	}
	c.Efficiency = result.Efficiency{
		Effort: result.Effort{
			SolvedQueries: 26, CorrectTraces: 73, Steps: pointer(3.31), FewestSteps: pointer(3.0), ToolCalls: pointer(2.4),
			FewestToolCalls: pointer(2.1), StepWaste: pointer(0.094), ToolCallWaste: pointer(0.125), Actions: 247, Repeated: 3,
		},
		ByCategory: map[string]result.Effort{
			"multi_hop": {SolvedQueries: 7, CorrectTraces: 18, Steps: pointer(4.2), FewestSteps: pointer(4.0), ToolCalls: pointer(3.1), FewestToolCalls: pointer(3.0), StepWaste: pointer(0.05), ToolCallWaste: pointer(0.03), Actions: 110, Repeated: 3},
			"safety":    {},
		},
		StepsPerTrace: pointer(3.82), ToolCallsPerTrace: pointer(2.84),
	}
	c.KCurve = &result.KCurve{
		Points: []result.KPoint{
			{K: 1, Accuracy: rated(0.8276, 0.6545, 0.924, 29), PassAtK: pointer(0.8276), PassHatK: pointer(0.8276), ModelCalls: 3.8, Tokens: 3554.4},
			{K: 2, Accuracy: rated(0.8161, 0.64, 0.917, 29), Unanimous: pointer(0.8621), AccuracyIfUnanimous: pointer(0.94), PassAtK: pointer(0.87), PassHatK: pointer(0.78), ModelCalls: 7.6, Tokens: 7108.8},
			{K: 3, Accuracy: rated(0.8276, 0.6545, 0.924, 29), Unanimous: pointer(0.7931), AccuracyIfUnanimous: pointer(0.9565), PassAtK: pointer(0.8966), PassHatK: pointer(0.7586), ModelCalls: 11.4, Tokens: 10663.2},
		},
		Gain: &result.KGain{Difference: -0.0001, CI: &result.Interval{Method: "t", Level: 0.95, Low: -0.0589, High: 0.0589}, P: pointer(1.0), Queries: 29},
	}
	c.Confidence = &result.Confidence{
		Levels: []result.ConfidenceLevel{
			{Agreement: 1, Queries: 23, Correct: 22, Accuracy: result.Rate{Value: 22.0 / 23, CI: pointer(wilson(0.7901, 0.9923))}, Coverage: 23.0 / 29, Risk: 1.0 / 23},
			{Agreement: 2.0 / 3, Queries: 6, Correct: 2, Accuracy: result.Rate{Value: 1.0 / 3, CI: pointer(wilson(0.0968, 0.7))}, Coverage: 1, Risk: 5.0 / 29},
		},
		ECE: 0.1034, Brier: 0.0996, AUROC: pointer(0.8583), AURC: 0.0547, ExcessAURC: 0.0381, AUGRC: 0.0422,
	}
	c.Timing.WallS, c.Timing.TracesS, c.Timing.CallsSent = pointer(12.34), pointer(48.2), 332
	return c
}

// singleTrace turns a row into one of K=1, on the first traces of another.
func singleTrace(c result.Configuration) result.Configuration {
	c.K, c.Consensus.MeanAgreement, c.Confidence = 1, nil, nil
	c.Consensus.Methods = map[consensus.Method]int{consensus.Single: 29}
	c.Reliability.Unanimous, c.Reliability.UnanimousCorrect, c.Reliability.AccuracyIfUnanimous = nil, nil, nil
	c.KCurve.Points, c.KCurve.Gain = c.KCurve.Points[:1], nil
	c.Timing.CallsSent = 0
	return c
}

// against compares a row with full: losses, gains, Tango's interval, p and the call.
func against(name string, losses, gains int, low, high, p, holm float64, call result.Call) result.Comparison {
	var flips []result.Flip
	for i := range losses {
		flips = append(flips, result.Flip{Query: fmt.Sprintf("hop-%02d", i+1), Category: "multi_hop", Baseline: "Scheldt", Configuration: "[abstained]", Reason: "abstained, where answered was expected"})
	}
	for range gains {
		flips = append([]result.Flip{{Query: "calc-05", Category: "calculation", Gain: true, Baseline: "2414.016 kilometres and then some more", Configuration: "2414.016", Reason: `"2414.016 kilometres" is not "2414.016"`}}, flips...)
	}
	return result.Comparison{
		Baseline: "full", Configuration: name, Pairing: result.Paired, Queries: 29, Losses: &losses, Gains: &gains,
		Difference: pointer(float64(gains-losses) / 29), CI: &result.Interval{Method: "tango", Level: 0.95, Low: low, High: high},
		CI90: &result.Interval{Method: "tango", Level: 0.9, Low: low * 0.8, High: high * 0.8},
		P:    &p, PHolm: &holm, Method: "mcnemar-midp", Margin: 0.1, Call: call, MDE: pointer(0.3448), Flips: flips,
	}
}

// offlineAblation is the report that the built-in ablation leads to.
func offlineAblation() *result.Result {
	k1 := singleTrace(variant("k=1", 24, 0.6545, 0.924, "one trace, no vote"))
	k1.Agent = "agent-full"
	text := variant("text", 23, 0.6161, 0.9016, "the text protocol")
	text.Traces.Replies, text.Traces.Format = 287, trace.Format{Errors: 2, Repaired: 2}
	r := run(29, categories(),
		variant("full", 24, 0.6545, 0.924, "planner, web search and calculator"),
		k1,
		variant("no planner", 24, 0.6545, 0.924, ""),
		variant("no web search", 10, 0.1994, 0.5265, "answers from nothing but the calculator and what it remembers"),
		variant("no calculator", 15, 0.3443, 0.6861, ""),
		text,
	)
	r.Ablation, r.Baseline = "offline", "full"
	r.Comparisons = []result.Comparison{
		against("k=1", 1, 1, -0.147, 0.147, 1, 1, result.Undetermined),
		against("no planner", 0, 0, -0.117, 0.117, 1, 1, result.Equivalent),
		against("no web search", 14, 0, -0.6555, -0.3144, 0.0001, 0.0006, result.Worse),
		against("no calculator", 9, 0, -0.4921, -0.1731, 0.00195, 0.0078, result.Worse),
		against("text", 2, 1, -0.1954, 0.125, 0.625, 1, result.Undetermined),
	}
	ci := func(low, high float64) *result.Interval {
		return &result.Interval{Method: "t", Level: 0.95, Low: low, High: high}
	}
	r.Comparisons[1].Effort = &result.EffortDifference{
		Queries: 29, Steps: result.Shift{Difference: -0.966, CI: ci(-1, -0.92)}, Calls: result.Shift{Difference: -2.9, CI: ci(-3, -2.8)},
		Tokens: result.Shift{Difference: -2134.6, CI: ci(-2590.2, -1880)},
	}
	r.Comparisons[2].Effort = &result.EffortDifference{Queries: 2, Steps: result.Shift{Difference: 0.01}, Calls: result.Shift{}, Tokens: result.Shift{Difference: 4.4}}
	r.Family = &result.Family{Comparisons: 5, FirstLevel: 0.01, LeastLosses: pointer(7), MDE: pointer(0.4496)}
	r.Versions = map[string]string{
		"norm": "norm/v2", "prompt": "react/v3", "verifier": "equivalence/v1", "correctness": "correctness/v1",
		"quality": "quality/v1", "prices": "2025-12", "concur": "devel",
	}
	for i := range r.Configurations {
		r.Configurations[i].Clustered = &result.Clustered{Clusters: 25, SE: pointer(0.074), CI: pointer(wilson(0.6301, 0.9312))}
	}
	r.Warnings = []string{"text: the verifier's model failed on 2 questions; the answers concerned were not merged"}
	return r
}

// hostileResult holds whatever a row can come to grief on, with names that are attacks.
func hostileResult() *result.Result {
	priced := variant("@team", 24, 0.6545, 0.924, "-1+1\ttab")
	priced.Model = "openai:gpt|4o"
	priced.Usage.USD, priced.USDPerQuery, priced.USDPerCorrect = pointer(0.0312), pointer(0.00107), pointer(0.0013)
	unscored := variant(evil, 23, 0.6161, 0.9016, evil)
	unscored.Counts = result.Counts{Queries: 29, Correct: 23, Incorrect: 5, Unscored: 1}
	unscored.Bounds, unscored.Pass = &[2]float64{23.0 / 29, 24.0 / 29}, "both"
	failed := full("all failed", "offline:load")
	failed.Counts = result.Counts{Queries: 29, Unscored: 29}
	failed.Judge.CorrectnessModel, failed.Judge.Threshold = evil, pointer(4)
	failed.PassRate, failed.Bounds, failed.CI = pointer(0.0), &[2]float64{0, 1}, pointer(wilson(0, 0.117))
	failed.Consensus = result.Consensus{Quorum: consensus.QuorumMajority, Methods: map[consensus.Method]int{consensus.None: 29}}
	failed.Traces = result.Traces{Total: 87, Outcomes: map[trace.Outcome]int{trace.Infra: 87}, QueriesWithoutValid: 29}
	failed.Reliability.PassAtK.Dropped, failed.Reliability.PassHatK.Dropped = 29, 29
	failed.NoKCurve, failed.Usage, failed.Timing = "the run is not complete", store.Usage{}, result.Timing{}
	refused := variant("`refused`", 24, 0.6545, 0.924, "")
	refused.Reliability.PassAtK = result.Estimate{Value: pointer(1.0), CI: pointer(wilson(0.5101, 1)), Queries: 4, Dropped: 25}
	refused.Reliability.PassHatK = result.Estimate{Queries: 0, Dropped: 29}
	refused.Confidence.Unscored = 2
	refused.Clustered = &result.Clustered{Clusters: 7, SE: pointer(0.1)}
	refused.KCurve.Points[2].Accuracy.Queries, refused.KCurve.Points[2].Accuracy.Dropped = 27, 2
	r := run(29, []string{"multi_hop", "=cat|\n@all"}, priced, unscored, failed, refused)
	r.Dataset.Name, r.Run, r.Ablation, r.Baseline = "set <b>@org/team</b>", "run-1", "#1", "@team"
	r.Comparisons = []result.Comparison{
		against(evil, 1, 0, -0.1718, 0.0896, 0.5, 0.5, result.Undetermined),
		against("all failed", 24, 0, -0.924, -0.6545, 0, 0, result.Undetermined),
		{Configuration: "`refused`", Refused: pointer("judge.correctness is openai:a|b against @team's <judge>"), Margin: 0.05},
	}
	for i := range r.Comparisons {
		r.Comparisons[i].Baseline = "@team"
	}
	r.Comparisons[0].Flips[0] = result.Flip{Query: "q|1", Category: "=cat|\n@all", Baseline: evil, Configuration: "`", Reason: evil}
	r.Comparisons[0].MDE, r.Comparisons[0].CallIfScored = nil, pointer(result.Worse)
	r.Comparisons[0].CallAsCounted = pointer(result.Undetermined)
	r.Comparisons[0].CorrectBefore, r.Comparisons[0].CorrectNow = pointer(24), pointer(23)
	r.Comparisons[0].Differs = []string{"k: 3, now 1", "note: " + evil + ", now \"\"", "c", "d", "e", "f", "g", "h", "i", "j"}
	r.Comparisons[1].Flips[0].Configuration, r.Comparisons[1].Flips[0].Unscored = "[infra]", true
	r.Versions = map[string]string{"norm": evil}
	r.Comparisons[0].LeftOut = pointer("paired over 29 queries that both have; 9 of @team are not in the other")
	r.Warnings = []string{
		evil + ": 1 of 29 queries are unscored; the pass rate counts them as wrong, and would be 83 % if they were right",
		"all failed: 29 of 29 queries have no valid trace",
		"something with @team and #12",
	}
	return r
}
