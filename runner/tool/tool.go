package tool

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/seed-5817661a/concur/runner/model"
	"github.com/seed-5817661a/concur/runner/trace"
)

// Spec is a tool's face: what a model is told of it, and what the harness must know.
type Spec struct {
	model.ToolSpec
	// Evidence says that the tool returns documents that answers can cite.
	Evidence bool
	// Pure says that the same arguments always give the same output, so that a replay
	// may run the tool again.
	Pure bool
	// OwnDeadline says that the tool bounds its calls itself: what it does in this process
	// by its arguments, and what it waits for elsewhere by TimeoutOf. Invoke sets no
	// deadline, which would run while the tool waits for a core of a busy machine.
	OwnDeadline bool
}

// Tool is one thing that an agent can do. Implementations are safe for concurrent use.
type Tool interface {
	Spec() Spec
	// Call runs the tool on arguments that its schema has accepted. It should return
	// when ctx is done; Invoke returns then in any case. A failure that the model can
	// do something about is an ordinary error, or a *RequestError where it has a kind; one
	// of the tool's backend is a *BackendError.
	Call(ctx context.Context, arguments json.RawMessage) (Output, error)
}

// Output is what a call returns: a JSON object and, for evidence tools, documents. The
// documents come without ids; once the trace's ledger has given them some, Render puts
// them into the object as "results".
type Output struct {
	Object    map[string]any
	Documents []trace.Document
	// ModelCalls and Usage are what models took that the tool itself asked; they count as the
	// trace's own.
	ModelCalls int
	Usage      model.Usage
	// Children are the paths of the agents that the tool ran, under which their events and
	// exchanges are recorded.
	Children []string
}

// result is a document as a model sees it.
type result struct {
	ID      string  `json:"id"`
	Title   string  `json:"title"`
	Snippet string  `json:"snippet"`
	Source  string  `json:"source"`
	Score   float64 `json:"score"`
}

// Render gives the output as the model will see it. documents are o.Documents with
// their ids; nil stands for a tool that returns none.
func (o Output) Render(documents []trace.Document) (json.RawMessage, error) {
	object := make(map[string]any, len(o.Object)+1)
	for k, v := range o.Object {
		object[k] = v
	}
	if documents != nil {
		results := make([]result, len(documents))
		for i, d := range documents {
			results[i] = result{d.ID, d.Title, d.Snippet, d.Source, d.Score}
		}
		object["results"] = results
	}
	var raw bytes.Buffer
	enc := json.NewEncoder(&raw)
	enc.SetEscapeHTML(false) // a model reads AT&T, and may cite it
	if err := enc.Encode(object); err != nil {
		return nil, fmt.Errorf("encode tool output: %w", err)
	}
	return bytes.TrimSpace(raw.Bytes()), nil
}

// BackendError is a failure of what stands behind a tool: a server, an index, a quota.
// It is never the agent's fault.
type BackendError struct {
	Kind string // as in the taxonomy of search errors: quota, upstream, timeout, …; none of a RequestError's
	Err  error
	// RetryAfter is how long the backend asks to be left alone; 0 if it does not say. The
	// text of Err tells it already.
	RetryAfter time.Duration
}

func (e *BackendError) Error() string { return e.Kind + ": " + e.Err.Error() }

// Unwrap gives the cause.
func (e *BackendError) Unwrap() error { return e.Err }

// RequestError is a request that a tool's backend refuses for what is in it: the agent's
// fault, as is an ordinary error, but of a kind of the taxonomy of search errors.
type RequestError struct {
	Kind string // BadRequest or NotFound; any other is taken for Refused
	Err  error
}

func (e *RequestError) Error() string { return e.Kind + ": " + e.Err.Error() }

// Unwrap gives the cause.
func (e *RequestError) Unwrap() error { return e.Err }
