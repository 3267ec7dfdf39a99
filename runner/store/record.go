package store

import (
	"math"
	"time"

	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/runner/model"
	"github.com/seed-5817661a/concur/runner/trace"
)

// Record is one line of results.jsonl: everything about one query under one
// configuration. What may differ between equal runs stands under Timing.
type Record struct {
	Configuration string             `json:"configuration"`
	Query         string             `json:"query"`
	Category      string             `json:"category"`
	Question      string             `json:"question"`
	Cluster       string             `json:"cluster"`    // queries that stand or fall together; "" for one of its own
	QueryHash     string             `json:"query_hash"` // of the query and its gold, as datasets.Query.Hash gives it
	Expected      string             `json:"expected"`   // the gold in a few words, as datasets.Gold.Expected gives it; "" without one
	Agent         string             `json:"agent"`
	Answers       []Answer           `json:"answers"` // by trace index
	Consensus     consensus.Decision `json:"consensus"`
	Verdict       judge.Verdict      `json:"verdict"`
	// Judgements holds what judges that ask a model said; nil where none was asked.
	Judgements *Judgements `json:"judgements"`
	Usage      Usage       `json:"usage"`
	Timing     Timing      `json:"timing"`
}

// Judgements are by kind; Correctness is nil and Quality empty where that judge was not
// asked. Quality is judged on the trace that stands for the consensus.
type Judgements struct {
	Correctness *judge.CorrectnessJudgement `json:"correctness"`
	Quality     []judge.QualityJudgement    `json:"quality"`
}

// Answer is how one trace ended, for the record.
type Answer struct {
	Trace      int              `json:"trace"`
	Answer     *string          `json:"answer"`
	Key        *string          `json:"key"`
	Outcome    trace.Outcome    `json:"outcome"`
	StopReason trace.StopReason `json:"stop_reason"`
	Steps      int              `json:"steps"`
	ToolCalls  int              `json:"tool_calls"`
	Actions    int              `json:"actions"`  // tool calls that the model asked for, executed or not
	Repeated   int              `json:"repeated"` // those of them that it had asked for before in the trace
	Grounded   *bool            `json:"grounded"` // nil where citations were not audited
	Grounding  trace.Grounding  `json:"grounding"`
	Extract    string           `json:"extract"`
	Format     trace.Format     `json:"format"`
	Cause      *string          `json:"cause"`   // of infra and no_answer, the first line of what went wrong
	Verdict    judge.Ruling     `json:"verdict"` // of this trace alone, by the gold
	// Rejected is what the verdict would have been of an answer that the audit of its
	// citations rejected for good; nil elsewhere.
	Rejected *judge.Ruling `json:"rejected"`
}

// Usage counts what the record rests on. USD is nil where a model that was called has no
// price.
type Usage struct {
	ModelCalls int `json:"model_calls"`
	ToolCalls  int `json:"tool_calls"`
	model.Usage
	USD *float64 `json:"usd"`
	// Roles are the parts of the model calls: agent, verifier, judge; only those that were
	// called.
	Roles map[Role]RoleUsage `json:"roles"`
}

// Role is for whom a model was called.
type Role string

// The roles.
const (
	AgentRole    Role = "agent"
	VerifierRole Role = "verifier" // and the one who picks
	JudgeRole    Role = "judge"
)

// RoleUsage is what one role's calls took.
type RoleUsage struct {
	ModelCalls int `json:"model_calls"`
	model.Usage
	USD *float64 `json:"usd"`
}

// Call adds model calls of a role. usd is nil where they have no price.
func (u *Usage) Call(role Role, calls int, took model.Usage, usd *float64) {
	if calls == 0 {
		return
	}
	first := u.ModelCalls == 0
	u.ModelCalls += calls
	u.Usage = u.Usage.Add(took)
	u.USD = sum(u.USD, usd, first)
	if u.Roles == nil {
		u.Roles = map[Role]RoleUsage{}
	}
	r, called := u.Roles[role]
	u.Roles[role] = RoleUsage{r.ModelCalls + calls, r.Usage.Add(took), sum(r.USD, usd, !called)}
}

// Add adds another usage.
func (u *Usage) Add(v Usage) {
	u.ToolCalls += v.ToolCalls
	for role, r := range v.Roles {
		u.Call(role, r.ModelCalls, r.Usage, r.USD)
	}
}

// sum is nil where a part of it is not known. It rounds to a billionth of a dollar, so
// that the order of the parts does not show.
func sum(so, more *float64, first bool) *float64 {
	if first {
		return more
	}
	if so == nil || more == nil {
		return nil
	}
	total := math.Round((*so+*more)*1e9) / 1e9
	return &total
}

// Timing is what may differ between equal runs.
type Timing struct {
	WallS     float64   `json:"wall_s"`     // from the first trace's start to the verdict, in seconds
	CallsSent int       `json:"calls_sent"` // model calls really sent
	TracesS   []float64 `json:"traces_s"`   // seconds of each trace, by index
	// VerifierS is how long verifier and picker took to answer, in seconds, also where a cache
	// answers now, and UnreadS the part of it that went to replies which could not be read.
	VerifierS float64 `json:"verifier_s"`
	UnreadS   float64 `json:"unread_s"`
	// JudgeS and JudgeUnreadS are the same of the judges.
	JudgeS       float64 `json:"judge_s"`
	JudgeUnreadS float64 `json:"judge_unread_s"`
	// Session counts the times that the run was resumed before the record was written.
	// The record stands while none of its traces is from a later session.
	Session int `json:"session"`
}

// Exchange is one line of chat.jsonl: a model call, with the messages that were added
// since the previous exchange of the conversation.
type Exchange struct {
	model.Identity
	Session int       `json:"session"` // as in trace.Event
	Time    time.Time `json:"time"`
	// Kept is the number of messages in front of Messages: the beginning of the exchange
	// before, its reply counted as its last message.
	Kept     int             `json:"kept"`
	Messages []model.Message `json:"messages"`
	Seed     int64           `json:"seed"`
	// Settings names the request settings; RequestSettings spells them out where a name
	// is used for the first time in the file.
	Settings        string           `json:"settings"`
	RequestSettings *RequestSettings `json:"request_settings"`
	Response        *model.Message   `json:"response"` // nil where the call failed
	Finish          *string          `json:"finish_reason"`
	Model           *string          `json:"model"` // as the provider names itself
	Usage           *model.Usage     `json:"usage"`
	Error           *string          `json:"error"`
	ErrorKind       *model.ErrorKind `json:"error_kind"`
	Latency         float64          `json:"latency"` // seconds
	Attempts        int              `json:"attempts"`
}

// RequestSettings is the part of a request that most exchanges share.
type RequestSettings struct {
	Model       string           `json:"model"`
	Temperature float64          `json:"temperature"`
	Tools       []model.ToolSpec `json:"tools"`
	Stop        []string         `json:"stop"`
	// Choice says whether a tool must be called, and SingleCall that at most one may be.
	Choice     model.ToolChoice `json:"tool_choice"`
	SingleCall bool             `json:"single_call"`
	MaxTokens  int              `json:"max_tokens,omitempty"` // of the reply; 0 where the request has no limit of its own
	// Schema is the form that the reply was asked to have; nil for free text.
	Schema *model.ResponseSchema `json:"schema"`
}
