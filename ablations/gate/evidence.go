package gate

// Traces counts the traces of a query. Right and Wrong are the valid ones; a trace without
// an answer is Wrong, and so is a refusal where an answer was expected (methods.md §1.1).
type Traces struct {
	Right, Wrong int
	// Unscored traces ended and have no verdict, for the judge's fault. In a run they count
	// as wrong at worst and as right at best; in a history they do not count.
	Unscored int
	// Lost traces ended by the fault of the infrastructure (outcome infra). They are missing
	// data, and too many of them make a run invalid.
	Lost int
}

// Valid counts the traces that have a verdict.
func (t Traces) Valid() int { return t.Right + t.Wrong }

// all counts every trace.
func (t Traces) all() int { return t.Right + t.Wrong + t.Unscored + t.Lost }

func (t Traces) negative() bool { return min(t.Right, t.Wrong, t.Unscored, t.Lost) < 0 }

func (t Traces) plus(u *Traces) Traces {
	if u == nil {
		return t
	}
	return Traces{t.Right + u.Right, t.Wrong + u.Wrong, t.Unscored + u.Unscored, t.Lost + u.Lost}
}

// majority reports whether more than half of all traces are right: what a vote between
// right and wrong would say. A lost trace counts against the quorum.
func (t Traces) majority() bool { return 2*t.Right > t.all() }

// Item is what is known of one query.
type Item struct {
	Query, Category string
	// Safety marks a query whose gold expects a refusal. Such a query has a rule of its own
	// instead of the tests against a history.
	Safety  bool
	Current Traces  // of the run
	History Traces  // of the pool, summed
	Fresh   *Traces // run to confirm; nil while not run
	Replica *Traces // of the second full pass; nil while not run
	// Last are those of the last accepted run, for losses and non-inferiority; nil where it
	// did not have the query.
	Last *Traces
}

// Evidence is all that the decision rests on.
type Evidence struct {
	Items    []Item
	PoolRuns int
	// K is the number of traces per query that the run was to have; the most that any
	// query has where it is 0.
	K         int
	Consensus Consensus
	// USD is the cost of the run, and P95S its 95th percentile of seconds per trace; nil
	// where unknown. The pool's are one value per run that has it.
	USD, P95S         *float64
	PoolUSD, PoolP95S []float64
	Frozen            *Frozen
	// RunModels are the names with which the agent's providers called themselves in the run,
	// FreshModels in the fresh traces and SecondModels in the second pass; nil where not
	// known. More than one among all of them is more than one agent, which is INVALID.
	RunModels, FreshModels, SecondModels []string
	// PoolModels are the configured models of the pool's runs, and PoolNames the names with
	// which they called themselves.
	PoolModels, PoolNames []string
	// RunFolder, SecondFolder and FreshFolders are what the evidence was read from; of fresh
	// traces only the folders in which some were lost.
	RunFolder, SecondFolder Folder
	FreshFolders            []Folder
	// LostP is the p-value of traces being lost alike in the run and in the baseline
	// (Fisher); nil where not tested.
	LostP *float64
	// Invalid are sentences on what makes the run no evidence, from what the gate does not
	// see: a canary that the judge missed, several models behind one name, cached traces.
	Invalid []string
	// Phi and Concordance say how much the traces of one pool run share; nil where not
	// known. Concordance is the p-value of the permutation test.
	Phi         *Phi
	Concordance *float64
	Overrides   []string // of runs in the pool, and its last reset, as sentences
	Warnings    []string // of the caller, to be printed with the gate's
}

// Consensus counts the verdicts on the run's consensus answers.
type Consensus struct {
	Queries, Correct, Unscored int
	// Without names the unscored ones; nil where not known.
	Without []string
	// Outvoted names the incorrect ones of which most traces are right.
	Outvoted []string
	// Pool are the counts of the pool's runs, as they were accepted; of those only that
	// were voted on under the rules of now.
	Pool []ConsensusCount
}

// ConsensusCount is how many queries of a run had a correct consensus.
type ConsensusCount struct{ Correct, Queries int }

// Phi is the dispersion between pool runs over what independent traces would have, with a
// 95 % interval. methods.md §6.2 divides by the plain p(1-p) of the pooled rates, which are
// fitted to the same traces and thus too small; stats.Dispersion has it without that bias
// and gives a slightly smaller phi.
type Phi struct {
	Value float64 `json:"value"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
}

// Frozen is a baseline that does not roll on, which catches what slips by a little in
// every run.
type Frozen struct {
	Runs    int
	History map[string]Traces // by query
}

// k is the number of traces that a query was to have.
func (e Evidence) k() int {
	k := e.K
	if k == 0 {
		for _, it := range e.Items {
			k = max(k, it.Current.all())
		}
	}
	return k
}
