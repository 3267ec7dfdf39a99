package external

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/internal/lines"
	"github.com/seed-5817661a/concur/runner/agent"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/trace"
)

// Schema names the contract in every request.
const Schema = "concur/agent/v1"

// Request is the input of an agent for one trace, as one line of JSON.
type Request struct {
	Schema string `json:"schema"`
	// Call identifies a request to a process that stays (agent.serve). The reply repeats it. It is 0 for other
	// agents.
	Call  int64  `json:"call"`
	ID    string `json:"id"` // id of the query
	Query string `json:"query"`
	// AnswerType is the type of the expected answer (integer, date, entity, …). It is "" if the dataset gives
	// no type.
	AnswerType string          `json:"answer_type"`
	History    []datasets.Turn `json:"history"` // earlier messages of the conversation, oldest first
	Trace      int             `json:"trace"`   // 0..K-1
	Seed       int64           `json:"seed"`    // 31 bits; different for every trace
	Settings   Settings        `json:"settings"`
	Limits     Limits          `json:"limits"`
	Off        []string        `json:"off"`      // parts of agent.parts that the agent must not use
	Endpoint   *Endpoint       `json:"endpoint"` // address of the agent's model; null without the proxy
	// Traceparent is the header of W3C Trace Context that names the span of this trace. It is missing if the run sends
	// no spans.
	Traceparent string `json:"traceparent,omitempty"`
}

// Settings are the settings of the configuration that an agent may use.
type Settings struct {
	Model       string  `json:"model"` // provider:model
	Temperature float64 `json:"temperature"`
}

// Limits are the limits of one trace. concur enforces only the timeout.
type Limits struct {
	TimeoutS     float64 `json:"timeout_s"`
	MaxSteps     int     `json:"max_steps"`
	MaxToolCalls int     `json:"max_tool_calls"`
}

// Endpoint is the address of the recording proxy, with a key that is valid only for this trace.
type Endpoint struct {
	OpenAI    string `json:"openai_base_url"`    // ends in /v1
	Anthropic string `json:"anthropic_base_url"` // does not end in /v1
	Key       string `json:"api_key"`
}

func newRequest(task agent.Task, conf config.Configuration) Request {
	a := conf.Agent
	return Request{
		Schema: Schema, ID: task.Query.ID, Query: task.Query.Text, AnswerType: string(task.Query.Gold.Type),
		History: append([]datasets.Turn{}, task.Query.History...),
		Trace:   task.ID.Trace, Seed: task.Seed, Settings: Settings{Model: conf.Model, Temperature: a.Temperature},
		Limits: Limits{TimeoutS: a.External.Deadline().Seconds(), MaxSteps: a.Steps(task.Query.MaxSteps),
			MaxToolCalls: a.MaxToolCalls},
		Off: append([]string{}, a.External.Off...),
	}
}

// span returns the variable with which processes get the traceparent
// (https://opentelemetry.io/docs/specs/otel/context/env-carriers/).
func (r Request) span() []string {
	if r.Traceparent == "" {
		return nil
	}
	return []string{"TRACEPARENT=" + r.Traceparent}
}

// line returns the request as one line.
func (r Request) line() []byte {
	raw, _ := lines.Encode(r) // texts and numbers always encode
	return append(raw, '\n')
}

// Reply is the output of an agent. It must have at least one of Answer, Message, Outcome and Error. Unknown
// fields are ignored.
type Reply struct {
	Call   int64      `json:"call"`
	Answer answerText `json:"answer"` // the short answer: a text, a number, true or false, or a list of those
	// Message is the explanation, with citations such as [wiki_1]. If there is no Answer, the answer is read
	// from the message.
	Message string `json:"message"`
	Outcome string `json:"outcome"` // answered, refused, abstained or no_answer; "" means that the answer decides
	// Error is the reason why the agent could not work. Such a trace has no vote.
	Error    string          `json:"error"`
	Steps    []ReplyStep     `json:"steps"`
	Evidence []ReplyDocument `json:"evidence"`
	Usage    *ReplyUsage     `json:"usage"` // counted if the model calls do not go through the proxy

	field   string   // the name of Message in the reply, if it is not the contract's
	stepped int      // number of steps in the original reply; Steps has the first of them
	cut     []string // descriptions of the cut parts
	left    []string // names of parts that were left out because they do not follow the contract
}

// ReplyStep is a step of the agent. Steps are ignored if the proxy has recorded tool calls.
type ReplyStep struct {
	Thought     string          `json:"thought"`
	Action      *ReplyAction    `json:"action"`
	Observation json.RawMessage `json:"observation"` // any JSON; null without an action
}

// ReplyAction is a tool call.
type ReplyAction struct {
	Name  string          `json:"name"`
	Input json.RawMessage `json:"input"` // any JSON
}

// ReplyDocument is a document that the agent used. It is in the field evidence of the reply, or in the result
// of a tool. Such a result is a list of documents, or an object that has such a list as results or documents.
// ID is the id by which the message cites it.
type ReplyDocument struct {
	ID      string  `json:"id"`
	Title   string  `json:"title"`
	URL     string  `json:"url"`
	Source  string  `json:"source"` // used instead of URL
	Text    string  `json:"text"`
	Snippet string  `json:"snippet"` // used instead of Text
	Score   float64 `json:"score"`   // relevance, 0 to 1
}

func (d ReplyDocument) document() trace.Document {
	backend, _, _ := strings.Cut(d.ID, "_")
	return trace.Document{
		ID: d.ID, Ref: cmp.Or(d.URL, d.Title, d.ID), Title: d.Title, Source: cmp.Or(d.Source, d.URL),
		Snippet: cmp.Or(d.Text, d.Snippet), Score: min(1, max(0, d.Score)), Backend: backend,
	}
}

// documentsOf finds the documents in the result of a tool. It returns nil if the result has no documents.
func documentsOf(output json.RawMessage) []trace.Document {
	var list []ReplyDocument
	var object struct{ Results, Documents []ReplyDocument }
	switch {
	case json.Unmarshal(output, &list) == nil:
	case json.Unmarshal(output, &object) == nil:
		list = append(object.Results, object.Documents...)
	}
	var out []trace.Document
	for _, d := range list {
		if d.ID != "" && cmp.Or(d.Text, d.Snippet) != "" {
			out = append(out, d.document())
		}
	}
	return out
}

// ReplyUsage has the numbers of calls and tokens that the agent used. 1000.0 is read as 1000.
type ReplyUsage struct {
	ModelCalls   float64 `json:"model_calls"`
	InputTokens  float64 `json:"input_tokens"`
	OutputTokens float64 `json:"output_tokens"`
	CachedTokens float64 `json:"cached_tokens"`
}

// maxList is the maximum size in bytes of an answer that is a list. The limit is needed because a decoded list
// takes many times its size.
const maxList = 1 << 20

// answerText is an answer as text. given is false if the answer is null or missing.
type answerText struct {
	text  string
	given bool
}

func (a *answerText) UnmarshalJSON(raw []byte) error {
	if raw[0] == '[' && len(raw) > maxList {
		return fmt.Errorf("the answer is a list of more than %d KiB", maxList>>10)
	}
	var v any
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber() // numbers keep their digits, such as 12193254061881.50
	if err := dec.Decode(&v); err != nil {
		return err
	}
	text, err := textOf(v)
	a.text, a.given = text, v != nil
	return err
}

func textOf(v any) (string, error) {
	switch v := v.(type) {
	case nil:
		return "", nil
	case string:
		return v, nil
	case json.Number:
		return v.String(), nil
	case bool:
		return fmt.Sprint(v), nil
	case []any:
		items := make([]string, len(v))
		for i, item := range v {
			if _, nested := item.([]any); nested || item == nil {
				return "", fmt.Errorf("item %d of the answer is not a text, number, true or false", i+1)
			}
			text, err := textOf(item)
			if err != nil {
				return "", err
			}
			items[i] = text
		}
		return strings.Join(items, "; "), nil
	}
	return "", errors.New("the answer is an object: give a text, a number, true or false, or a list of those")
}
