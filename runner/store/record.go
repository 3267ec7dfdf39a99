package store

import (
	"fmt"
	"math"

	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/judge/execution"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/model/asking"
	"github.com/seed-5817661a/concur/runner/extract"
	"github.com/seed-5817661a/concur/trace"
)

// Record is one line of results.jsonl: the results of one query under one configuration. Equal runs have
// equal records, except for Timing.
type Record struct {
	Configuration string `json:"configuration"`
	Query         string `json:"query"`
	Category      string `json:"category"`
	Question      string `json:"question"`
	// Rewritten is the question in a form that can be understood without the conversation. It is the question
	// that the representative trace wrote. If that trace wrote none, it is that of the first trace that did; ""
	// if no trace did.
	Rewritten string `json:"rewritten,omitempty"`
	Cluster   string `json:"cluster"`    // dependent queries share a cluster; "" for an independent query
	QueryHash string `json:"query_hash"` // hash of the query and its gold (datasets.Query.Hash)
	// Expected is the gold in words (datasets.Gold.Expected); "" without a gold
	Expected  string             `json:"expected"`
	Agent     string             `json:"agent"`
	Answers   []Answer           `json:"answers"` // in the order of the traces
	Consensus consensus.Decision `json:"consensus"`
	Verdict   judge.Verdict      `json:"verdict"`
	// Label is a person's label; nil if nobody labelled the record. Unless the person answered "cannot say", it
	// decides Verdict. It is stored in labels.jsonl, not in the line of the record.
	Label *Labelled `json:"label"`
	// AnswersBefore has the verdicts on Answers that a person's label replaced; nil without a label.
	AnswersBefore []judge.Ruling `json:"-"`
	// Judgements has the verdicts of judges that ask a model; nil if no model was asked.
	Judgements *Judgements `json:"judgements"`
	// Extraction has figures of the model that was asked for answers that the rules could not read; nil if no
	// model was asked.
	Extraction *Extraction `json:"extraction,omitempty"`
	// Turns has the results of each turn of a conversation with a scripted person. Answers and Consensus then describe
	// whole conversations, and Judgements has those of the turn that decides Verdict.
	Turns []Turn `json:"turns,omitempty"`
	// Statements has the result sets of the gold's statement and of the last statements of the traces, also those of
	// turns. It is nil unless the gold is a statement.
	Statements []execution.Result `json:"statements,omitempty"`

	Usage  Usage  `json:"usage"`
	Timing Timing `json:"timing"`
}

// Turn has the results of one turn of a conversation, in the form of a Record.
type Turn struct {
	Question   string             `json:"question"` // the words of the person
	Rewritten  string             `json:"rewritten,omitempty"`
	Expected   string             `json:"expected"`
	Answers    []Answer           `json:"answers"`
	Consensus  consensus.Decision `json:"consensus"`
	Verdict    judge.Verdict      `json:"verdict"`
	Judgements *Judgements        `json:"judgements"`
	Extraction *Extraction        `json:"extraction,omitempty"`
}

// ByTurn returns the turns of a conversation as records of the same query, without usage and timing. For any
// other query it returns the record itself.
func (r Record) ByTurn() []Record {
	if len(r.Turns) == 0 {
		return []Record{r}
	}
	out := make([]Record, len(r.Turns))
	for i, t := range r.Turns {
		of := r
		of.Question, of.Rewritten, of.Expected, of.Answers, of.Consensus = t.Question, t.Rewritten, t.Expected, t.Answers,
			t.Consensus
		of.Verdict, of.Judgements, of.Extraction = t.Verdict, t.Judgements, t.Extraction
		of.Turns, of.Label, of.AnswersBefore, of.Usage, of.Timing = nil, nil, nil, Usage{}, Timing{}
		out[i] = of
	}
	return out
}

// Judgements has the judgements of a query by kind. If a judge was not asked, Correctness is nil or Quality is
// empty. Quality is the judgement of the representative trace.
type Judgements struct {
	Correctness *judge.CorrectnessJudgement `json:"correctness"`
	Quality     []judge.QualityJudgement    `json:"quality"`
	Rubric      []judge.RubricJudgement     `json:"rubric"` // by item; nil without a rubric
}

// Extraction counts the results of the extractor on a query's traces.
type Extraction struct {
	Model    string `json:"model"`    // as configured
	Messages int    `json:"messages"` // messages that it read, one for each trace
	Read     int    `json:"read"`     // messages in which it found the answer
	Refused  int    `json:"refused"`  // messages for which the rules refused its words
	asking.Effort
	Canaries *extract.CanaryResult `json:"canaries"` // nil if none were asked
}

// Add counts the result on one trace's message.
func (x *Extraction) Add(r extract.Reading) {
	x.Messages++
	if r.Answer != "" {
		x.Read++
	}
	if r.Refused {
		x.Refused++
	}
	x.Effort = x.Effort.Add(r.Effort)
	if r.Canaries != nil {
		x.Canaries = r.Canaries
	}
}

// RoleUsage is the cost of the model calls of one role or of one agent. USD is nil if the price of one of the
// models is unknown.
type RoleUsage struct {
	ModelCalls int `json:"model_calls"`
	model.Usage
	USD *float64 `json:"usd"`
}

// Plus returns the sum of two costs. Set first if c is the zero value, so that its USD of nil does not mean an
// unknown price.
func (c RoleUsage) Plus(d RoleUsage, first bool) RoleUsage {
	return RoleUsage{c.ModelCalls + d.ModelCalls, c.Usage.Add(d.Usage), SumUSD(c.USD, d.USD, first)}
}

// Usage is the cost of a record. USD is nil if the price of one of the models is unknown.
type Usage struct {
	ModelCalls int `json:"model_calls"`
	ToolCalls  int `json:"tool_calls"`
	model.Usage
	USD *float64 `json:"usd"`
	// Roles divides the model calls among agent, extractor, verifier and judge. A role without calls is missing.
	Roles map[Role]RoleUsage `json:"roles"`
}

// Role says for which purpose a model was called.
type Role string

const (
	AgentRole     Role = "agent"
	ExtractorRole Role = "extractor"
	VerifierRole  Role = "verifier" // also of the picker
	JudgeRole     Role = "judge"
)

// Call adds model calls to a role. usd is their cost; nil if the price is unknown.
func (u *Usage) Call(role Role, calls int, took model.Usage, usd *float64) {
	if calls == 0 {
		return
	}
	first := u.ModelCalls == 0
	u.ModelCalls += calls
	u.Usage = u.Usage.Add(took)
	u.USD = SumUSD(u.USD, usd, first)
	if u.Roles == nil {
		u.Roles = map[Role]RoleUsage{}
	}
	r, called := u.Roles[role]
	u.Roles[role] = r.Plus(RoleUsage{calls, took, usd}, !called)
}

// Add adds another usage.
func (u *Usage) Add(v Usage) {
	u.ToolCalls += v.ToolCalls
	for role, r := range v.Roles {
		u.Call(role, r.ModelCalls, r.Usage, r.USD)
	}
}

// SumUSD returns the sum of two costs; nil if one of them is unknown. It rounds to 1e-9 dollars, so that the
// order of additions has no effect.
func SumUSD(total, more *float64, first bool) *float64 {
	if first {
		return more
	}
	if total == nil || more == nil {
		return nil
	}
	rounded := math.Round((*total+*more)*1e9) / 1e9
	return &rounded
}

// Timing has the parts of a record that differ between equal runs.
type Timing struct {
	WallS     float64   `json:"wall_s"`     // from the first trace's start to the verdict, in seconds
	CallsSent int       `json:"calls_sent"` // model calls that were really sent
	TracesS   []float64 `json:"traces_s"`   // seconds of each trace, by index
	// ToolsS has the seconds of the calls of each tool, summed over the traces; see trace.Timing.
	ToolsS map[string]float64 `json:"tools_s,omitempty"`
	// VerifierS is the time in seconds that verifier and picker took to reply. A reply from the cache counts
	// with the time of the original call. UnreadS is the part of this time that was spent on replies that could
	// not be parsed.
	VerifierS  float64 `json:"verifier_s"`
	UnreadS    float64 `json:"unread_s"`
	ExtractorS float64 `json:"extractor_s,omitempty"` // seconds that the extractor took to reply
	// JudgeS and JudgeUnreadS have the same meaning for the judges.
	JudgeS       float64 `json:"judge_s"`
	JudgeUnreadS float64 `json:"judge_unread_s"`
	// Session counts how often the run had been resumed when the record was written. The record is valid as
	// long as all of its traces are from this session or an earlier one.
	Session int `json:"session"`
}

// Decided describes the decision in words: the answer or, without an answer, the outcome in brackets. If a vote
// by checks chose messages that fail the checks, the decision has no answer. If checks could not be decided, there
// is no decision.
func (r Record) Decided() string {
	switch d := r.Consensus; {
	case d.Outcome == trace.Infra && r.Verdict.Verdict == judge.Unscored && r.Verdict.By == judge.ByChecks:
		return "[unchecked]"
	case d.Answer != nil:
		return *d.Answer
	case d.Outcome == trace.Answered:
		return "[fails the checks]"
	default:
		return "[" + string(d.Outcome) + "]"
	}
}

// Troubles describes the failures of extractor, verifier and judges for a query.
func (r Record) Troubles() []string {
	var out []string
	if x := r.Extraction; x != nil && x.Errors > 0 {
		out = append(out, fmt.Sprintf("messages on which the extractor's model failed: %d", x.Errors))
	}
	if n := r.Consensus.Effort.Errors; n > 0 {
		out = append(out, fmt.Sprintf("questions on which the verifier's model failed: %d", n))
	}
	if n := r.Consensus.Effort.Unparseable; n > 0 {
		out = append(out, fmt.Sprintf("replies of the verifier that could not be read: %d", n))
	}
	return append(out, r.Judgements.unscored()...)
}

// unscored lists the judges that gave no verdict, with the reason.
func (j *Judgements) unscored() (out []string) {
	if j == nil {
		return nil
	}
	check := func(judged string, v judge.Verdict) {
		if v.Verdict == judge.Unscored {
			out = append(out, judged+": "+v.Reason)
		}
	}
	if c := j.Correctness; c != nil {
		check("correctness judge", c.Verdict)
	}
	for _, q := range j.Quality {
		check("quality judge", q.Verdict)
	}
	for _, q := range j.Rubric {
		check("rubric, "+q.Item, q.Verdict)
	}
	return out
}
