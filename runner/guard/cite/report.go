package cite

import "github.com/seed-5817661a/concur/runner/trace"

// Level says how much a problem weighs.
type Level string

// The levels. Only an error makes an answer ungrounded.
const (
	Error Level = "error"
	Warn  Level = "warn"
)

// The checks of methods.md §8, as [Problem.Check] names them.
const (
	CheckExists   = "C1"    // the cited document was returned in this trace
	CheckSeen     = "C2"    // it has text that was shown
	CheckQuote    = "C3"    // a quotation of four words or more stands in the source
	CheckNumber   = "C4"    // a number stands in the source, or was calculated from such
	CheckDate     = "C5"    // a date does, at its precision or a finer one
	CheckName     = "C6"    // a name does
	CheckScore    = "C8"    // the source is relevant to the query
	CheckCoverage = "C9"    // the message cites at all
	CheckExcess   = "C10"   // no citation is idle
	CheckBound    = "bound" // the message can be audited
)

// Problem is one thing that an audit found wrong.
type Problem struct {
	Check  string
	Level  Level
	Claim  string // the sentence, cut to a readable length; "" where it is the whole message
	Detail string // one line, naming the id, quotation, number or name
}

// Claim is one sentence of the message, or its answer line.
type Claim struct {
	Text  string
	Cites []string // ids, each once, in order
	// Answer marks the answer line. It rests on all documents that the message cites,
	// and counts for neither coverage nor recall; but where a message cites nothing and
	// states nothing else, the answer line is the claim, and is not marked.
	Answer bool
	// Factual marks a sentence that cites, or holds a number, date, name or quotation.
	Factual bool
	// Supported marks a sentence that cites, passes C1–C5 and whose content words, by
	// idf weight, stand in the sources to one half or more; or one that does not cite,
	// and states calculations on what the message cites, and nothing else.
	Supported bool
	// Overlap is that share, 0..1; nil for a claim without content words or citations.
	Overlap *float64
}

// Report is the outcome of an audit.
type Report struct {
	Claims    []Claim
	Citations int // pairs of a claim and an id that it cites; the list of references does not count
	Valid     int // those that pass C1–C3
	// Precision is Valid / Citations, nil without citations.
	Precision *float64
	// Recall is the share of factual sentences that are supported, nil without any. A
	// sentence that cites nothing is not (ALCE; methods.md §8), unless it shows working.
	Recall *float64
	// Coverage is the share of factual sentences that cite (C9), nil without any.
	Coverage *float64
	// OverCited counts the citations that C10 finds idle: the fourth and further ones of
	// a claim, and those of a document that shares no content with it.
	OverCited int
	// Grounded is true exactly if no problem is an error.
	Grounded bool
	// Problems lists errors and warnings, at most MaxProblems.
	Problems []Problem
}

// Grounding counts what the audit found, for the trace's end.
func (r Report) Grounding() trace.Grounding {
	g := trace.Grounding{Claims: r.Event().Claims, Citations: r.Citations, Valid: r.Valid}
	for _, c := range r.Claims {
		if c.Supported && !c.Answer {
			g.Supported++
		}
	}
	return g
}

// Event is the report in the form of trace.jsonl.
func (r Report) Event() trace.Audit {
	out := trace.Audit{
		Version: Version, Grounded: r.Grounded,
		Citations: r.Citations, Valid: r.Valid, OverCited: r.OverCited,
		Precision: r.Precision, Recall: r.Recall, Coverage: r.Coverage,
		Problems: make([]trace.AuditProblem, 0, len(r.Problems)),
	}
	for _, c := range r.Claims {
		if c.Factual && !c.Answer {
			out.Claims++
		}
	}
	for _, p := range r.Problems {
		out.Problems = append(out.Problems, trace.AuditProblem{Check: p.Check, Level: string(p.Level), Claim: p.Claim, Detail: p.Detail})
	}
	return out
}
