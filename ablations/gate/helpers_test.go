package gate

func of(right, all int) Traces { return Traces{Right: right, Wrong: all - right} }

func ptr[T any](v T) *T { return &v }

// evidence is a run of K=3 over six steady queries and a flaky one, against a pool of five
// runs, changed as said.
func evidence(change ...func(*Evidence)) Evidence {
	e := Evidence{PoolRuns: 5, K: 3, Consensus: Consensus{Queries: 7, Correct: 7}}
	for _, name := range []string{"a", "b", "c", "d", "e", "f"} {
		e.Items = append(e.Items, Item{Query: name, Current: of(3, 3), History: of(15, 15), Runs: 5, Last: ptr(of(3, 3))})
	}
	e.Items = append(e.Items, Item{Query: "g", Current: of(2, 3), History: of(9, 15), Runs: 5, Last: ptr(of(2, 3))})
	for _, c := range change {
		c(&e)
	}
	return e
}

// marks reads + as a right trace, - as a wrong one, ? as one without a verdict and ! as a lost
// one.
func marks(text string) (out []TraceResult) {
	for _, r := range text {
		out = append(out, map[rune]TraceResult{'+': Right, '-': Wrong, '?': Unscored, '!': Lost}[r])
	}
	return out
}
