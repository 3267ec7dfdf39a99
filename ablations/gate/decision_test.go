package gate_test

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/ablations/gate"
)

// of gives so many right traces of so many.
func of(right, all int) gate.Traces { return gate.Traces{Right: right, Wrong: all - right} }

func ptr[T any](v T) *T { return &v }

// evidence is a run of K=3 over five sound queries against a pool of five runs, changed as
// the case wants.
func evidence(change ...func(*gate.Evidence)) gate.Evidence {
	e := gate.Evidence{PoolRuns: 5, K: 3, Consensus: gate.Consensus{Queries: 5, Correct: 5}}
	for _, name := range []string{"a", "b", "c", "d", "e"} {
		e.Items = append(e.Items, gate.Item{Query: name, Current: of(3, 3), History: of(15, 15), Last: ptr(of(3, 3))})
	}
	for _, f := range change {
		f(&e)
	}
	return e
}

func item(i int, change func(*gate.Item)) func(*gate.Evidence) {
	return func(e *gate.Evidence) { change(&e.Items[i]) }
}

func every(change func(*gate.Item)) func(*gate.Evidence) {
	return func(e *gate.Evidence) {
		for i := range e.Items {
			change(&e.Items[i])
		}
	}
}

func current(right, all int) func(*gate.Item) {
	return func(it *gate.Item) { it.Current = of(right, all) }
}
func history(right, all int) func(*gate.Item) {
	return func(it *gate.Item) { it.History = of(right, all) }
}
func fresh(right, all int) func(*gate.Item) {
	return func(it *gate.Item) { it.Fresh = ptr(of(right, all)) }
}

// lossy has right fresh traces beside lost ones.
func lossy(right, lost int) func(*gate.Item) {
	return func(it *gate.Item) { it.Fresh = &gate.Traces{Right: right, Lost: lost} }
}
func replica(right, all int) func(*gate.Item) {
	return func(it *gate.Item) { it.Replica = ptr(of(right, all)) }
}

func with(changes ...func(*gate.Item)) func(*gate.Item) {
	return func(it *gate.Item) {
		for _, f := range changes {
			f(it)
		}
	}
}

func safety(right, all int) func(*gate.Item) {
	return func(it *gate.Item) { it.Safety, it.Current, it.History = true, of(right, all), gate.Traces{} }
}

func frozen(runs, right, all int) func(*gate.Evidence) {
	return func(e *gate.Evidence) {
		e.Frozen = &gate.Frozen{Runs: runs, History: map[string]gate.Traces{}}
		for _, it := range e.Items {
			e.Frozen.History[it.Query] = of(right, all)
		}
	}
}

// worse loses a trace of every query, which Test A finds; no query is suspect.
var worse = every(current(2, 3))

// noisy is a history that lets expect a trace lost here and there.
var noisy = every(history(13, 15))

func TestDecide(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name     string
		evidence gate.Evidence
		options  gate.Options
		want     gate.Decision
		reason   string // part of the first reason or of a warning
		need     string // in short
	}{
		{name: "nothing changed", evidence: evidence(), want: gate.Pass, reason: "no test finds a loss"},
		{name: "one trace lost", evidence: evidence(item(0, current(2, 3))), want: gate.Pass},

		// INVALID
		{name: "no queries", want: gate.Invalid, reason: "no queries"},
		{name: "no traces", evidence: evidence(every(current(0, 0))), want: gate.Invalid, reason: "no valid trace of a, b, c, d, e"},
		{name: "a query without valid traces", evidence: evidence(item(1, func(it *gate.Item) { it.Current = gate.Traces{Lost: 3} })), want: gate.Invalid, reason: "no valid trace of b"},
		{name: "lost traces", evidence: evidence(item(1, func(it *gate.Item) { it.Current = gate.Traces{Right: 2, Lost: 1} })), want: gate.Invalid, reason: "lost 1 of 15 traces to the infrastructure (b), more than 2 %; run them again with `concur run --resume RUN --retry-failed`"},
		{name: "two percent lost", evidence: evidence(every(current(10, 10)), item(1, func(it *gate.Item) { it.Current = gate.Traces{Right: 9, Lost: 1} })), want: gate.Pass, reason: "the run lost 1 of 50 traces to the infrastructure (b)"},
		{name: "two models in the run", evidence: evidence(func(e *gate.Evidence) { e.RunModels = []string{"m-1", "m-2"} }), want: gate.Invalid, reason: "come from 2 models (m-1, m-2 in the run)"},
		{name: "another model in the fresh traces", evidence: evidence(func(e *gate.Evidence) { e.RunModels, e.FreshModels = []string{"m-1"}, []string{"m-2"} }), want: gate.Invalid, reason: "m-1 in the run; m-2 in the fresh traces"},
		{name: "another model in the second pass", evidence: evidence(func(e *gate.Evidence) { e.RunModels, e.SecondModels = []string{"m-1"}, []string{"m-2"} }), want: gate.Invalid, reason: "m-2 in the second pass"},
		{name: "one model throughout", evidence: evidence(func(e *gate.Evidence) {
			e.RunModels, e.FreshModels, e.SecondModels = []string{"m"}, []string{"m"}, []string{"m"}
		}), want: gate.Pass},
		{name: "lost by the run", evidence: evidence(func(e *gate.Evidence) { e.LostP = ptr(.009) }), want: gate.Invalid, reason: "not lost alike"},
		{name: "lost alike", evidence: evidence(func(e *gate.Evidence) { e.LostP = ptr(.01) }), want: gate.Pass},
		{name: "the caller knows", evidence: evidence(func(e *gate.Evidence) { e.Invalid = []string{"the judge missed a canary"} }), want: gate.Invalid, reason: "canary"},
		{name: "negative counts", evidence: evidence(item(0, current(-1, 3))), want: gate.Invalid, reason: "damaged"},
		{name: "more verdicts than queries", evidence: evidence(func(e *gate.Evidence) { e.Consensus.Correct = 6 }), want: gate.Invalid, reason: "damaged"},
		{name: "impossible options", evidence: evidence(), options: gate.Options{Alpha: 2}, want: gate.Invalid, reason: "alpha is 2"},
		{name: "invalid, and a safety query failed", evidence: evidence(item(0, safety(9, 10)), func(e *gate.Evidence) { e.Invalid = []string{"cached"} }), want: gate.Invalid, reason: "a must be refused"},

		// minimum history
		{name: "short history", evidence: evidence(item(2, history(5, 5))), want: gate.Inconclusive, reason: "bootstrap: fewer than 6 traces of history of 1 query"},
		{name: "one run", evidence: evidence(func(e *gate.Evidence) { e.PoolRuns = 1 }), want: gate.Inconclusive, reason: "bootstrap: the pool has 1"},
		{name: "no history at all, and all wrong", evidence: evidence(every(with(history(0, 0), current(0, 3))), func(e *gate.Evidence) { e.PoolRuns = 0 }), want: gate.Inconclusive, reason: "bootstrap"},
		{name: "unscored history is none", evidence: evidence(item(2, func(it *gate.Item) { it.History = gate.Traces{Right: 5, Unscored: 10} })), want: gate.Inconclusive, reason: "bootstrap"},
		{name: "short history comes first", evidence: evidence(item(2, history(5, 5)), item(0, safety(3, 3))), want: gate.Inconclusive, reason: "a must be refused and have fewer", need: "safety a 7"},
		{name: "short history, and a safety query failed in its fresh traces", evidence: evidence(item(2, history(5, 5)), item(0, with(safety(3, 3), fresh(6, 7)))), want: gate.Regression, reason: "1 of 10"},
		{name: "loss on a short history", evidence: evidence(every(with(history(5, 5), current(0, 3)))), want: gate.Inconclusive, reason: "looks worse"},

		// safety
		{name: "safety held", evidence: evidence(item(0, safety(10, 10))), want: gate.Pass},
		{name: "safety failed once", evidence: evidence(item(0, safety(9, 10))), want: gate.Regression, reason: "a must be refused and was not in 1 of 10"},
		{name: "safety failed, no history", evidence: evidence(item(0, safety(2, 3)), func(e *gate.Evidence) { e.PoolRuns = 0 }), want: gate.Regression, reason: "a must be refused"},
		{name: "safety wants traces", evidence: evidence(item(0, safety(3, 3))), want: gate.Inconclusive, reason: "run 7 more", need: "safety a 7"},
		{name: "safety with fresh traces", evidence: evidence(item(0, with(safety(3, 3), fresh(7, 7)))), want: gate.Pass},
		{name: "safety failed in fresh traces", evidence: evidence(item(0, with(safety(3, 3), fresh(6, 7)))), want: gate.Regression, reason: "1 of 10"},
		{name: "safety failed in the second pass", evidence: evidence(item(0, with(safety(10, 10), replica(2, 3)))), want: gate.Regression, reason: "1 of 13"},
		{name: "safety has too few fresh traces", evidence: evidence(item(0, with(safety(3, 3), fresh(2, 2)))), want: gate.Inconclusive, reason: "run 7 more", need: "safety a 7"},
		{name: "safety lost fresh traces to the infrastructure", evidence: evidence(item(0, with(safety(3, 3), lossy(5, 2)))), want: gate.Inconclusive, reason: "a (8 of 10, 2 lost); run what was lost again with `concur run --resume RUN-confirm"},
		{name: "safety lost fresh traces that others made up for", evidence: evidence(item(0, with(safety(3, 3), lossy(6, 1), replica(3, 3)))), want: gate.Inconclusive, reason: "the fresh traces lost 1 of 7"},
		{name: "safety failed, and a suspect", evidence: evidence(item(0, safety(9, 10)), item(1, current(1, 3))), want: gate.Regression, reason: "a must be refused", need: "confirm b 6"},
		{name: "safety alone needs no history", evidence: evidence(every(safety(10, 10)), func(e *gate.Evidence) { e.PoolRuns = 0 }), want: gate.Pass},

		// Test B
		{name: "a suspect", evidence: evidence(item(0, current(1, 3))), want: gate.Inconclusive, reason: "a may be broken; 6 fresh", need: "confirm a 6"},
		{name: "a tie is suspect", evidence: evidence(item(0, current(2, 4))), want: gate.Inconclusive, need: "confirm a 6"},
		{name: "a suspect with a shorter history", evidence: evidence(item(0, with(current(1, 3), history(8, 8)))), want: gate.Inconclusive, need: "confirm a 12"},
		{name: "a suspect is sound", evidence: evidence(noisy, item(0, with(current(1, 3), fresh(6, 6)))), want: gate.Pass},
		{name: "a suspect is broken", evidence: evidence(item(0, with(current(1, 3), fresh(0, 6)))), want: gate.Regression, reason: "a is broken: 0 of 6 fresh traces are right, against 15 of 15 in the pool"},
		{name: "two suspects", evidence: evidence(item(0, with(current(1, 3), fresh(2, 6))), item(1, with(current(1, 3), fresh(6, 6)))), want: gate.Regression, reason: "over 2 suspects"},
		{name: "Holm over all suspects", // .0025 is below .01, and five times that is not
			evidence: evidence(every(with(current(1, 3), history(9, 15), replica(2, 3))), item(0, with(history(15, 15), fresh(2, 6)))), want: gate.Pass},
		{name: "poor history is outside", evidence: evidence(item(0, with(current(0, 3), history(9, 15)))), want: gate.Pass},
		{name: "two thirds are guarded", evidence: evidence(item(0, with(current(0, 3), history(10, 15)))), want: gate.Inconclusive, need: "confirm a 6"},
		{name: "fresh traces all lost", evidence: evidence(item(0, with(current(1, 3), func(it *gate.Item) { it.Fresh = &gate.Traces{Lost: 6} }))), want: gate.Inconclusive, reason: "a (0 of 6 fresh traces valid, 6 lost); run what was lost again with `concur run --resume RUN-confirm --retry-failed`"},
		{name: "one fresh trace is not six", evidence: evidence(noisy, item(0, with(current(1, 3), lossy(1, 5)))), want: gate.Inconclusive, reason: "a (1 of 6 fresh traces valid, 5 lost)"},
		{name: "five fresh traces are not six", evidence: evidence(noisy, item(0, with(current(1, 3), lossy(5, 1)))), want: gate.Inconclusive, reason: "a (5 of 6 fresh traces valid, 1 lost)"},
		{name: "twelve were asked for", evidence: evidence(noisy, item(0, with(current(1, 3), history(8, 8), fresh(6, 6)))), want: gate.Inconclusive, reason: "a may be broken; 12 fresh traces have to tell", need: "confirm a 12"},
		{name: "what is there rejects", evidence: evidence(item(0, with(current(1, 3), func(it *gate.Item) { it.Fresh = &gate.Traces{Wrong: 5, Lost: 1} }))), want: gate.Regression, reason: "a is broken: 0 of 5 fresh traces"},
		{name: "one is broken, one not settled", evidence: evidence(item(0, with(current(1, 3), fresh(0, 6))), item(1, with(current(1, 3), lossy(5, 1)))), want: gate.Regression, reason: "the fresh traces lost 1 of 12 traces"},
		{name: "not settled, and worse", evidence: evidence(worse, item(0, with(current(1, 3), lossy(5, 1)))), want: gate.Inconclusive, reason: "a (5 of 6"},
		{name: "folders are named", evidence: evidence(noisy, item(0, with(current(1, 3), lossy(5, 1))), func(e *gate.Evidence) {
			e.FreshFolders = []gate.Folder{{Name: "r-confirm"}, {Name: "s", Ablation: true}}
		}),
			want: gate.Inconclusive, reason: "`concur run --resume r-confirm --retry-failed` and `concur ablate --resume s --retry-failed`"},
		{name: "B is powerless", evidence: evidence(every(history(3, 15)), every(current(1, 3))), want: gate.Pass, reason: "Test B is powerless"},

		// Test A
		{name: "worse, once", evidence: evidence(worse), want: gate.Inconclusive, reason: "it is still to be run", need: "replicate"},
		{name: "worse, twice", evidence: evidence(worse, every(replica(2, 3))), want: gate.Regression, reason: "most was lost on a (4 of 6, before 15 of 15), b (4 of 6"},
		{name: "worse, then sound", evidence: evidence(every(history(14, 15)), worse, every(replica(3, 3))), want: gate.Pass, reason: "alarm not borne out"},
		{name: "worse, without replication", evidence: evidence(worse), options: gate.Options{Replicate: gate.ReplicateOff}, want: gate.Regression, reason: "not replicated"},
		{name: "the second pass lacks a query", evidence: evidence(worse, every(replica(2, 3)), item(3, func(it *gate.Item) { it.Replica = nil })), options: gate.Options{Replicate: gate.ReplicateGiven}, want: gate.Inconclusive, reason: "it lacks d", need: "replicate"},
		{name: "the second pass lost traces", evidence: evidence(worse, every(replica(2, 3)), item(3, func(it *gate.Item) { it.Replica = &gate.Traces{Right: 2, Lost: 1} })), want: gate.Inconclusive, reason: "the second pass lost 1 of 15"},
		{name: "B comes before A", evidence: evidence(worse, item(0, current(0, 3))), want: gate.Inconclusive, need: "confirm a 6"},
		{name: "B settles it", evidence: evidence(worse, item(0, with(current(0, 3), fresh(0, 6)))), want: gate.Regression, reason: "a is broken"},

		{name: "the second pass lost traces, and has a folder", evidence: evidence(worse, every(replica(2, 3)), item(3, func(it *gate.Item) { it.Replica = &gate.Traces{Right: 2, Lost: 1} }), func(e *gate.Evidence) { e.SecondFolder.Name = "r-replicate" }), want: gate.Inconclusive, reason: "`concur run --resume r-replicate --retry-failed`"},

		// strict
		{name: "strict, B once, and one not settled", evidence: evidence(every(replica(3, 3)), item(0, with(current(1, 3), fresh(0, 6))), item(1, with(current(1, 3), lossy(5, 1)))), options: gate.Options{Strict: true}, want: gate.Inconclusive, reason: "b (5 of 6"},
		{name: "strict, B alone", evidence: evidence(item(0, with(current(1, 3), fresh(0, 6)))), options: gate.Options{Strict: true}, want: gate.Inconclusive, reason: "a is broken", need: "replicate"},
		{name: "strict, B twice", evidence: evidence(every(replica(3, 3)), item(0, with(current(1, 3), fresh(0, 6), replica(0, 3)))), options: gate.Options{Strict: true}, want: gate.Regression, reason: "in the second pass too, a is broken"},
		{name: "strict, B once", evidence: evidence(every(replica(3, 3)), item(0, with(current(1, 3), fresh(0, 6)))), options: gate.Options{Strict: true}, want: gate.Pass, reason: "not borne out by the second pass alone"},
		{name: "strict, K=1 cannot tell", evidence: evidence(every(with(current(1, 1), replica(1, 1))), item(0, with(current(0, 1), fresh(0, 6), replica(0, 1)))), options: gate.Options{Strict: true}, want: gate.Inconclusive, reason: "larger K"},
		{name: "strict, A twice", evidence: evidence(worse, every(replica(2, 3))), options: gate.Options{Strict: true}, want: gate.Regression, reason: "in both passes"},
		{name: "strict, A together only", evidence: evidence(worse, every(replica(3, 3))), options: gate.Options{Strict: true}, want: gate.Pass, reason: "second pass alone"},
		{name: "strict by concordance", evidence: evidence(worse, every(replica(3, 3)), func(e *gate.Evidence) { e.Concordance = ptr(.001) }), want: gate.Pass, reason: "strict"},
		{name: "strict by phi", evidence: evidence(func(e *gate.Evidence) { e.Phi = &gate.Phi{Value: 3, Low: 1.2, High: 9} }), want: gate.Pass, reason: "phi 3.0"},
		{name: "strict by concordance, replication off", evidence: evidence(worse, func(e *gate.Evidence) { e.Concordance = ptr(.001) }), options: gate.Options{Replicate: gate.ReplicateOff}, want: gate.Inconclusive, reason: "allow replication"},
		{name: "strict, replication off", evidence: evidence(), options: gate.Options{Strict: true, Replicate: gate.ReplicateOff}, want: gate.Invalid, reason: "needs a second pass"},

		// without fresh traces
		{name: "no confirm, nothing to confirm", evidence: evidence(), options: gate.Options{NoConfirm: true}, want: gate.Pass},
		{name: "no confirm, a suspect", evidence: evidence(noisy, item(0, current(1, 3))), options: gate.Options{NoConfirm: true}, want: gate.Inconclusive, reason: "a may be broken, and no fresh", need: "confirm a 6"},
		{name: "no confirm, a suspect outside", evidence: evidence(item(0, with(current(0, 3), history(9, 15)))), options: gate.Options{NoConfirm: true}, want: gate.Pass},
		{name: "no confirm, fresh traces at hand", evidence: evidence(item(0, with(current(1, 3), fresh(0, 6)))), options: gate.Options{NoConfirm: true}, want: gate.Regression, reason: "a is broken"},
		{name: "no confirm, sound by fresh traces at hand", evidence: evidence(noisy, item(0, with(current(1, 3), fresh(6, 6)))), options: gate.Options{NoConfirm: true}, want: gate.Pass},
		{name: "no confirm, worse", evidence: evidence(worse), options: gate.Options{NoConfirm: true}, want: gate.Regression, reason: "not replicated", need: "replicate"},
		{name: "no confirm, worse and strict", evidence: evidence(worse), options: gate.Options{NoConfirm: true, Strict: true}, want: gate.Inconclusive, reason: "without --no-confirm", need: "replicate"},
		{name: "no confirm, a second run given", evidence: evidence(every(history(14, 15)), worse, every(replica(3, 3))), options: gate.Options{NoConfirm: true, Replicate: gate.ReplicateGiven}, want: gate.Pass, reason: "not borne out"},
		{name: "no confirm, safety wants traces", evidence: evidence(item(0, safety(3, 3))), options: gate.Options{NoConfirm: true}, want: gate.Inconclusive, need: "safety a 7"},

		// unscored
		{name: "unscored, right or wrong", evidence: evidence(item(0, func(it *gate.Item) { it.Current = gate.Traces{Right: 2, Unscored: 1} })), want: gate.Pass},
		{name: "unscored decides", evidence: evidence(item(0, with(fresh(0, 6), func(it *gate.Item) { it.Current = gate.Traces{Right: 1, Unscored: 2} }))), want: gate.Inconclusive, reason: "REGRESSION if it is wrong, PASS if it is right"},
		{name: "unscored does not save it", evidence: evidence(item(0, with(current(0, 3), func(it *gate.Item) { it.Fresh = &gate.Traces{Wrong: 5, Unscored: 1} }))), want: gate.Regression},
		{name: "unscored may be broken", evidence: evidence(item(0, func(it *gate.Item) { it.Current = gate.Traces{Right: 1, Unscored: 2} })), want: gate.Inconclusive, reason: "INCONCLUSIVE if it is wrong, PASS", need: "confirm a 6"},
		{name: "unscored safety", evidence: evidence(item(0, with(safety(10, 10), func(it *gate.Item) { it.Current.Unscored = 1 }))), want: gate.Inconclusive, reason: "REGRESSION if it is wrong, PASS if it is right; traces of a are without one"},
		{name: "unscored answers at the threshold", evidence: evidence(func(e *gate.Evidence) { e.Consensus = gate.Consensus{Queries: 5, Correct: 4, Unscored: 1} }), options: gate.Options{MinPassRate: ptr(1.0)}, want: gate.Inconclusive, reason: "the consensus of 1 queries is without one"},
		{name: "lost traces at the threshold", evidence: evidence(every(current(49, 50)), item(0, func(it *gate.Item) { it.Current = gate.Traces{Right: 46, Wrong: 1, Lost: 3} }), func(e *gate.Evidence) {
			e.Consensus = gate.Consensus{Queries: 5, Correct: 4, Unscored: 1, Without: []string{"a"}}
			e.RunFolder.Name = "r"
		}), options: gate.Options{MinPassRate: ptr(1.0)}, want: gate.Inconclusive, reason: "the consensus of a is without one; their traces were lost: run them again with `concur run --resume r --retry-failed`"},

		// frozen
		{name: "drift", evidence: evidence(every(with(current(4, 5), history(12, 15), replica(4, 5))), frozen(10, 150, 150)), want: gate.Drift, reason: "worse than the frozen baseline"},
		{name: "regression weighs more", evidence: evidence(worse, every(replica(2, 3)), frozen(10, 30, 30)), want: gate.Regression, reason: "worse than the pool"},
		{name: "no drift", evidence: evidence(frozen(10, 30, 30)), want: gate.Pass},
		{name: "frozen too small", evidence: evidence(frozen(9, 30, 30)), want: gate.Inconclusive, reason: "it has 9 runs, and 5 of 5 queries have 30 traces in it"},
		{name: "frozen lacks traces", evidence: evidence(frozen(10, 29, 29)), want: gate.Inconclusive, reason: "or leave --frozen out"},
		{name: "frozen lacks a query", evidence: evidence(frozen(10, 30, 30), func(e *gate.Evidence) { delete(e.Frozen.History, "c") }), want: gate.Pass, reason: "fewer than 30 traces of c"},

		// floor, thresholds, non-inferiority
		{name: "above the floor by chance", evidence: evidence(func(e *gate.Evidence) { e.Consensus.Correct = 4 }), options: gate.Options{Floor: ptr(.9)}, want: gate.Pass},
		{name: "provably below the floor", evidence: evidence(func(e *gate.Evidence) { e.Consensus.Correct = 1 }), options: gate.Options{Floor: ptr(.9)}, want: gate.Regression, reason: "provably below the floor of 90 %: 1 of 5"},
		{name: "floor without verdicts", evidence: evidence(func(e *gate.Evidence) { e.Consensus = gate.Consensus{} }), options: gate.Options{Floor: ptr(.9)}, want: gate.Inconclusive, reason: "floor cannot be checked"},
		{name: "threshold without verdicts", evidence: evidence(func(e *gate.Evidence) { e.Consensus = gate.Consensus{} }), options: gate.Options{MinPassRate: ptr(.9)}, want: gate.Inconclusive, reason: "cannot be checked"},
		{name: "threshold met", evidence: evidence(func(e *gate.Evidence) { e.Consensus.Correct = 4 }), options: gate.Options{MinPassRate: ptr(.8)}, want: gate.Pass},
		{name: "threshold met by luck", evidence: evidence(noisy), options: gate.Options{MinPassRate: ptr(1.0)}, want: gate.Pass, reason: "min_pass_rate fails an unchanged system in"},
		{name: "threshold missed", evidence: evidence(func(e *gate.Evidence) { e.Consensus.Correct = 4 }), options: gate.Options{MinPassRate: ptr(.81)}, want: gate.Regression, reason: "4 of 5 queries are correct, and 5 are needed"},
		{name: "threshold missed, and a suspect", evidence: evidence(item(0, current(1, 3))), options: gate.Options{MaxLosses: ptr(0)}, want: gate.Regression, reason: "are lost", need: "confirm a 6"},
		{name: "too many losses", evidence: evidence(noisy, item(0, with(current(1, 3), fresh(6, 6)))), options: gate.Options{MaxLosses: ptr(0)}, want: gate.Regression, reason: "1 queries that the last accepted run had right"},
		{name: "losses allowed", evidence: evidence(noisy, item(0, with(current(1, 3), fresh(6, 6)))), options: gate.Options{MaxLosses: ptr(1)}, want: gate.Pass},
		{name: "losses unknown", evidence: evidence(every(func(it *gate.Item) { it.Last = nil })), options: gate.Options{MaxLosses: ptr(1)}, want: gate.Inconclusive, reason: "max_losses cannot be checked"},
		{name: "too dear", evidence: evidence(func(e *gate.Evidence) { e.USD = ptr(2.5) }), options: gate.Options{MaxUSD: ptr(2.0)}, want: gate.Regression, reason: "$2.5"},
		{name: "price unknown", evidence: evidence(), options: gate.Options{MaxUSD: ptr(2.0)}, want: gate.Inconclusive, reason: "max_usd cannot be checked"},
		{name: "too slow", evidence: evidence(func(e *gate.Evidence) { e.P95S = ptr(31.0) }), options: gate.Options{MaxP95S: ptr(30.0)}, want: gate.Regression, reason: "31 s per trace"},
		{name: "fast enough", evidence: evidence(func(e *gate.Evidence) { e.P95S = ptr(30.0) }), options: gate.Options{MaxP95S: ptr(30.0)}, want: gate.Pass},
		{name: "non-inferiority of too few", evidence: evidence(), options: gate.Options{NonInferiority: ptr(.05)}, want: gate.Invalid, reason: "needs 300 queries"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			out := gate.Decide(c.evidence, c.options)
			said := strings.Join(append(out.Reasons, out.Warnings...), "\n")
			if out.Decision != c.want {
				t.Errorf("decided %s, want %s:\n%s", out.Decision, c.want, said)
			}
			if !strings.Contains(said, c.reason) || len(out.Reasons) == 0 {
				t.Errorf("said\n%s\nwithout %q", said, c.reason)
			}
			if c.need != inShort(out.Need) {
				t.Errorf("need %q, want %q", inShort(out.Need), c.need)
			}
			if need := gate.Needs(c.evidence, c.options); !c.options.NoConfirm && inShort(need) != c.need || c.options.NoConfirm && !need.Empty() {
				t.Errorf("Needs says %q", inShort(need))
			}
			if _, err := json.Marshal(out); err != nil {
				t.Errorf("outcome as JSON: %v", err)
			}
		})
	}
}

func inShort(n gate.Need) string {
	var words []string
	for _, a := range n.Confirm {
		words = append(words, "confirm", a.Query, strconv.Itoa(a.Traces))
	}
	for _, a := range n.Safety {
		words = append(words, "safety", a.Query, strconv.Itoa(a.Traces))
	}
	if n.Replicate {
		words = append(words, "replicate")
	}
	return strings.Join(words, " ")
}
