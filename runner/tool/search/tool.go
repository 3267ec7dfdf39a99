package search

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/seed-5817661a/concur/runner/model"
	"github.com/seed-5817661a/concur/runner/tool"
	"github.com/seed-5817661a/concur/runner/trace"
)

// Name is the tool's name.
const Name = "web_search"

// Version changes whenever a query can find other documents in the same corpus, or show
// them otherwise.
const Version = "search/v1"

const parameters = `{
  "type": "object",
  "properties": {
    "query": {"type": "string", "minLength": 1, "maxLength": 400, "description": "What to look for: a few telling words or a short question."},
    "limit": {"type": "integer", "minimum": 1, "maximum": 10, "description": "How many results, 5 if not given."}
  },
  "required": ["query"],
  "additionalProperties": false
}`

const defaultLimit = 5

// Backend is a source of documents. Its documents come without ids.
type Backend interface {
	Name() string
	Search(ctx context.Context, query string, limit int) ([]trace.Document, error)
}

// WebSearch is the web_search tool over one backend.
type WebSearch struct {
	Backend Backend
}

// Spec describes the tool.
func (WebSearch) Spec() tool.Spec {
	return tool.Spec{
		ToolSpec: model.ToolSpec{
			Name:        Name,
			Description: "Search for documents. Each result has an id to cite, a title, a snippet, its source, and a score from 0 to 1 that says how much of the query it covers.",
			Parameters:  json.RawMessage(parameters),
		},
		Evidence: true,
	}
}

// Call searches. The output's source_used names the backend that answered.
func (w WebSearch) Call(ctx context.Context, arguments json.RawMessage) (tool.Output, error) {
	var in struct {
		Query string `json:"query"`
		Limit int    `json:"limit"`
	}
	if err := json.Unmarshal(arguments, &in); err != nil {
		return tool.Output{}, fmt.Errorf("read arguments: %w", err)
	}
	if strings.TrimSpace(in.Query) == "" {
		return tool.Output{}, errors.New("the query is empty: say what to look for")
	}
	if in.Limit == 0 {
		in.Limit = defaultLimit
	}
	docs, err := w.Backend.Search(ctx, in.Query, in.Limit)
	if err != nil {
		return tool.Output{}, &tool.BackendError{Kind: "unavailable", Err: err}
	}
	if docs == nil {
		docs = []trace.Document{}
	}
	return tool.Output{Object: map[string]any{"source_used": w.Backend.Name()}, Documents: docs}, nil
}
