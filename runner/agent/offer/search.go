package offer

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/agent/session"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/tool"
)

// MostFound is the number of tools that one search returns at most.
const MostFound = 5

// maxAbout limits the description of a found tool, in characters.
const maxAbout = 400

// searches is the tool search_tools in one trace. It is a session.Turns.
type searches struct {
	ctx      context.Context // of the trace
	session  *session.Session
	of       Feature
	registry *tool.Registry // has only search_tools, and checks its arguments
	record   Record
}

// found is a tool as a search returns it.
type found struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Parameters  json.RawMessage `json:"parameters,omitempty"`
}

func (q *searches) tool() tool.Tool {
	spec := model.ToolSpec{Name: config.SearchTools, Description: prompt("tool"), Parameters: fmt.Appendf(nil,
		`{"type":"object","properties":{"query":{"type":"string","minLength":1,"maxLength":500,"description":%q}},`+
			`"required":["query"],"additionalProperties":false}`, prompt("query"))}
	// Invoke waits until an Agent returns, and search changes the session.
	return tool.Func(tool.Spec{ToolSpec: spec, Pure: true, Agent: true}, q.search)
}

// search finds tools that are not offered yet, and offers them.
func (q *searches) search(ctx context.Context, in struct{ Query string }) (tool.Output, error) {
	query := strings.TrimSpace(in.Query)
	if query == "" {
		return tool.Output{}, &tool.RequestError{Kind: tool.BadArguments,
			Err: errors.New("the query is empty: describe what the tool should do")}
	}
	hits, err := q.of.finder.Find(ctx, query, MostFound, func(i int) bool { return !q.session.Offers(q.of.tools[i].Name) })
	if err != nil {
		return tool.Output{}, &tool.BackendError{Kind: "embeddings", Err: err}
	}
	made := Search{Query: query, Found: []string{}}
	tools := []found{}
	for _, h := range hits {
		spec := q.of.tools[h.Document]
		made.Found = append(made.Found, spec.Name)
		f := found{Name: spec.Name, Description: text.Clip(spec.Description, maxAbout)}
		if q.session.Config().WritesCalls() { // which lists tools only in the system prompt
			f.Parameters = spec.Parameters
		}
		tools = append(tools, f)
	}
	q.record.Searches = append(q.record.Searches, made)
	q.session.Offer(made.Found...)
	out := map[string]any{"tools": tools}
	if len(tools) == 0 {
		out["note"] = prompt("nothing")
	}
	return tool.Output{Object: out}, nil
}

// Offer adds search_tools to the offered tools.
func (q *searches) Offer(tools []model.ToolSpec) []model.ToolSpec {
	return append(tools, q.registry.ModelSpecs()...)
}

// Request changes nothing.
func (q *searches) Request(*model.Request) {}

// Reply does nothing.
func (q *searches) Reply(session.Turn, model.Usage) {}

// Answer runs the searches of a turn. They do not count as tool calls. again reports that all calls are
// searches whose words were searched before, and that found nothing.
func (q *searches) Answer(calls []model.ToolCall) (others []model.ToolCall, again bool) {
	vain := 0
	for _, c := range calls {
		if c.Name != config.SearchTools {
			others = append(others, c)
			continue
		}
		before := len(q.record.Searches)
		q.session.Served(q.registry.Invoke(q.ctx, c, q.session.Config().ToolTimeout))
		if len(q.record.Searches) == before {
			continue
		}
		made := q.record.Searches[before]
		same := func(s Search) bool { return s.Query == made.Query }
		if len(made.Found) == 0 && slices.ContainsFunc(q.record.Searches[:before], same) {
			vain++
		}
	}
	return others, vain > 0 && vain == len(calls)
}

// end returns the record of the trace.
func (q *searches) end() any {
	called := q.session.Called()
	for _, s := range q.record.Searches {
		for _, name := range s.Found {
			if slices.Contains(called, name) {
				q.record.Called = append(q.record.Called, name)
			}
		}
	}
	return q.record
}
