package execution

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/datasets/resultset"
	"github.com/seed-5817661a/concur/trace"
)

// Trial is what the statements of a trace return when they are executed again.
type Trial struct {
	// Tried are the statements that were executed, from the last one of the trace on.
	Tried []Result
	// Found is true if the last of Tried returns rows. They are the answer of the trace.
	Found bool
	// Reason says why there is no answer; "" if Found is true.
	Reason string
}

// maxTried is the number of statements of a trace that are executed again. An external agent can report thousands, each
// of which may take the whole time of a statement.
const maxTried = 20

// Last executes the statements of a trace with a tool again, from the last to the first, until one returns rows. It
// does not execute those that failed or returned no rows in the trace. The error is that of Execute.
//
// What the trace recorded as the rows is not used, because an external agent reports its calls itself.
func (d *Databases) Last(ctx context.Context, tool string, events []trace.Event) (t Trial, err error) {
	for _, call := range slices.Backward(calls(tool, events)) {
		if call.failed || call.rows == 0 {
			continue
		}
		if len(t.Tried) == maxTried {
			break
		}
		r, err := d.Execute(ctx, tool, call.statement)
		if err != nil {
			return t, err
		}
		t.Tried = append(t.Tried, r)
		if r.Error != "" && call.rows > 0 {
			// An earlier statement does not replace it, and the failure counts against the agent: otherwise an agent could
			// avoid a wrong verdict with a statement that fails now and then.
			t.Reason = "the last statement that returned rows failed when it was executed again: " + r.Error
			return t, nil
		}
		if table, err := resultset.Parse(r.Table); r.Error == "" && err == nil && len(table.Rows) > 0 {
			t.Found = true
			return t, nil
		}
	}
	t.Reason = "no statement of the tool " + tool + " returned rows"
	return t, nil
}

// call is a call of the tool with a statement.
type call struct {
	statement string
	failed    bool
	rows      int // the number of rows that it returned; -1 if the record does not say it
}

// calls returns the calls of a tool in their order. If the trace's own agent made none, they are those of its
// sub-agents, agent by agent.
func calls(tool string, events []trace.Event) []call {
	own := slices.ContainsFunc(events, func(e trace.Event) bool { return e.Path == "" && isCall(tool, e.Body) })
	type place struct{ path, id string }
	var out []call
	at := map[place]int{}
	events = slices.Clone(events)
	slices.SortStableFunc(events, func(a, b trace.Event) int {
		return cmp.Or(cmp.Compare(len(a.Path), len(b.Path)), cmp.Compare(a.Path, b.Path))
	})
	for _, e := range events {
		if own && e.Path != "" {
			break
		}
		switch body := e.Body.(type) {
		case trace.Action:
			if s := statementOf(body.Input); isCall(tool, body) && s != "" {
				at[place{e.Path, body.CallID}] = len(out)
				out = append(out, call{statement: s, rows: -1})
			}
		case trace.Observation:
			if i, known := at[place{e.Path, body.CallID}]; known {
				out[i].failed, out[i].rows = body.Error != nil, rowsOf(body.Output)
				delete(at, place{e.Path, body.CallID})
			}
		}
	}
	return out
}

// isCall reports whether an event is a call of a tool. A server of MCP has its own name before the name of the tool.
func isCall(tool string, b trace.Body) bool {
	a, is := b.(trace.Action)
	return is && (a.Name == tool || strings.HasSuffix(a.Name, "__"+tool))
}

// statementOf returns the statement in the arguments of a call; "" if they have none.
func statementOf(input json.RawMessage) string {
	var fields map[string]any
	if json.Unmarshal(input, &fields) != nil {
		return ""
	}
	for _, name := range []string{"statement", "sql", "query"} {
		if s, is := fields[name].(string); is && strings.TrimSpace(s) != "" {
			return s
		}
	}
	return ""
}

// rowsOf returns the number of rows in the output of a call; -1 if the output does not have them.
func rowsOf(output json.RawMessage) int {
	var fields struct {
		Rows *[]json.RawMessage `json:"rows"`
	}
	if json.Unmarshal(output, &fields) != nil || fields.Rows == nil {
		return -1
	}
	return len(*fields.Rows)
}
