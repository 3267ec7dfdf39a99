package tool

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"time"

	"github.com/seed-5817661a/concur/internal/lines"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/trace"
)

// Spec describes a tool, for models and for the harness.
type Spec struct {
	model.ToolSpec
	// Evidence means that the tool returns documents that answers can cite.
	Evidence bool
	// Pure means that equal arguments always give equal outputs, so a replay may run the tool again.
	Pure bool
	// OwnDeadline means that the tool limits the time of its calls itself: local work by limits on its
	// arguments, and waiting for others by TimeoutOf. Then Invoke sets no deadline, because that would include
	// the time in which the tool waits for a core on a busy machine.
	OwnDeadline bool
	// Line is name, description and parameters as one line of JSON, for prompts that list tools. The Registry
	// sets it.
	Line string
	// Agent means that the tool is an agent, which uses a part of the caller's limits. It has its own deadline,
	// and Invoke waits until it returns.
	Agent bool
}

// Tool is an action that an agent can call. Implementations must be safe for concurrent use.
type Tool interface {
	Spec() Spec
	// Call runs the tool on arguments that its schema accepts. It should return when ctx is done; Invoke does
	// not wait for it any longer. A failure that the model can correct is an ordinary error, or a *RequestError
	// with a kind; a failure of the tool's backend is a *BackendError.
	Call(ctx context.Context, arguments json.RawMessage) (Output, error)
}

// Output is the result of a call: a JSON object and, for evidence tools, documents. The documents have no
// ids; after the trace's ledger has assigned ids, Render adds the documents to the object as "results".
type Output struct {
	Object    map[string]any
	Documents []trace.Document
	// ModelCalls and Usage are the cost of models that the tool called, which counts for the trace.
	ModelCalls int
	Usage      model.Usage
	// Children are the agents that the tool ran. Their cost is included in ModelCalls and Usage; their events
	// and exchanges are recorded under their paths.
	Children []trace.Child
}

// result is a document in the form that models see.
type result struct {
	ID      string  `json:"id"`
	Title   string  `json:"title"`
	Snippet string  `json:"snippet"`
	Source  string  `json:"source"`
	Score   float64 `json:"score"`
	// BackendScore is only there if the tool shows it.
	BackendScore *float64 `json:"backend_score,omitempty"`
	Time         string   `json:"time,omitempty"`
}

// Render returns the output in the form that models see. documents are o.Documents with their ids; nil for a
// tool without documents.
func (o Output) Render(documents []trace.Document) (json.RawMessage, error) {
	object := map[string]any{}
	maps.Copy(object, o.Object)
	if documents != nil {
		results := make([]result, len(documents))
		for i, d := range documents {
			results[i] = result{d.ID, d.Title, d.Snippet, d.Source, d.Score, nil, d.Time}
			if d.BackendScoreShown {
				results[i].BackendScore = d.BackendScore
			}
		}
		object["results"] = results
	}
	raw, err := lines.Encode(object)
	if err != nil {
		return nil, fmt.Errorf("encode tool output: %w", err)
	}
	return raw, nil
}

// BackendError is a failure of a tool's backend: a server, an index, a quota. It does not count against the agent.
type BackendError struct {
	Kind string // a kind of search error: quota, upstream, timeout and others; not a kind of a RequestError
	Err  error
	// RetryAfter is the time that the backend asks to wait; 0 if it asks for no wait. The text of Err includes
	// it.
	RetryAfter time.Duration
}

func (e *BackendError) Error() string { return e.Kind + ": " + e.Err.Error() }

// Unwrap returns the cause.
func (e *BackendError) Unwrap() error { return e.Err }

// RequestError is a request that a tool's backend refuses because of its content. It counts as the agent's error.
type RequestError struct {
	Kind string // BadRequest, NotFound or BadArguments; any other kind counts as Refused
	Err  error
}

func (e *RequestError) Error() string { return e.Kind + ": " + e.Err.Error() }

// Unwrap returns the cause.
func (e *RequestError) Unwrap() error { return e.Err }
