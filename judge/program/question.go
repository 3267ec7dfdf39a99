package program

import (
	"encoding/json"

	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/trace"
)

// Schema names the JSON that a program reads.
const Schema = "concur/check/v1"

// Question is what a program reads about one trace.
type Question struct {
	Schema  string            `json:"schema"`
	ID      string            `json:"id"`    // of the query
	Query   string            `json:"query"` // the question to the agent
	Meta    map[string]string `json:"meta"`
	Message string            `json:"message"`
	Answer  *string           `json:"answer"` // the short answer; null if the agent gave none
	// Steps are the calls of the agent in their order; Evidence is the documents that its tools returned.
	Steps    []Step     `json:"steps"`
	Evidence []Document `json:"evidence"`
	// Call is the number that the reply repeats, for a program that serves; 0 for others.
	Call int64 `json:"call,omitempty"`
}

// Step is one call of the agent, with the thought before it. The last step may be a thought alone.
type Step struct {
	Thought     string `json:"thought,omitempty"`
	Action      *Call  `json:"action,omitempty"`
	Observation string `json:"observation,omitempty"` // the result as text, or the error

	id string // of the call
}

// Call is a call of a tool.
type Call struct {
	Name  string          `json:"name"`
	Input json.RawMessage `json:"input"`
}

// Document is a piece of evidence.
type Document struct {
	ID     string `json:"id"`
	Title  string `json:"title"`
	Source string `json:"source"`
	Text   string `json:"text"`
}

// mostText is the maximum length of an observation in characters.
const mostText = 64 << 10

// Tell adds the steps and the evidence of a trace's events.
func (q *Question) Tell(events []trace.Event) {
	if q.Steps, q.Evidence = []Step{}, []Document{}; q.Meta == nil {
		q.Meta = map[string]string{}
	}
	known := map[string]bool{}
	thought := ""
	for _, e := range events {
		if e.Path != "" {
			continue
		}
		switch b := e.Body.(type) {
		case trace.Thought:
			if thought != "" {
				q.Steps = append(q.Steps, Step{Thought: thought})
			}
			thought = b.Content
		case trace.Action:
			q.Steps = append(q.Steps, Step{Thought: thought, Action: &Call{b.Name, b.Input}, id: b.CallID})
			thought = ""
		case trace.Observation:
			for i := range q.Steps {
				if s := &q.Steps[i]; s.Action != nil && s.id == b.CallID && s.Observation == "" {
					s.Observation = text.Clip(observed(b), mostText)
					break
				}
			}
			for _, d := range b.Documents {
				if !known[d.ID] {
					known[d.ID] = true
					q.Evidence = append(q.Evidence, Document{d.ID, d.Title, d.Source, d.Snippet})
				}
			}
		}
	}
	if thought != "" {
		q.Steps = append(q.Steps, Step{Thought: thought})
	}
}

// observed returns the result of a call as text.
func observed(o trace.Observation) string {
	if o.Error != nil {
		return "error: " + *o.Error
	}
	return string(o.Output)
}
