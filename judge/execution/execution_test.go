package execution_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/datasets/resultset"
	"github.com/seed-5817661a/concur/judge/execution"
	"github.com/seed-5817661a/concur/trace"
)

// fake is a database that answers some statements.
type fake map[string]string

func (f fake) open(context.Context) (execution.Database, error) {
	return execution.Database{Digest: "d1", Execute: func(_ context.Context, statement string) (resultset.Table, error) {
		switch reply := f[statement]; {
		case reply == "":
			return resultset.Table{}, &execution.StatementError{Err: errors.New("no such column")}
		case reply == "lost":
			return resultset.Table{}, errors.New("the process ended")
		default:
			return resultset.Parse(reply)
		}
	}}, nil
}

func databases(of map[string]fake) *execution.Databases {
	d := &execution.Databases{Open: map[string]func(context.Context) (execution.Database, error){}}
	for name, f := range of {
		d.Open[name] = f.open
	}
	return d
}

func Example() {
	d := databases(map[string]fake{"sql": {"SELECT count(*) FROM staff": `[[3]]`, "SELECT 4": `[[4]]`}})
	gold, _ := d.Gold(context.Background(), "", "SELECT count(*) FROM staff")
	trial, _ := d.Last(context.Background(), gold.Tool, []trace.Event{{Body: trace.Action{
		Name: "sql", CallID: "1", Input: json.RawMessage(`{"statement": "SELECT 4"}`),
	}}})
	fmt.Println(gold.Table, trial.Tried[0].Table)
	// Output: {"rows":[[3]]} {"rows":[[4]]}
}

func TestGold(t *testing.T) {
	one := map[string]fake{"sql": {"good": `[[1]]`, "empty": `[]`, "cut": `{"rows": [[1]], "cut": true}`,
		"blob": `[["[blob of 3 bytes]"]]`, "lost": "lost"}}
	two := map[string]fake{"sql": {"good": `[[1]]`}, "hr": {"good": `[[2]]`}}
	for _, c := range []struct {
		of              map[string]fake
		tool, statement string
		table, err      string
	}{
		{one, "", "good", `{"rows":[[1]]}`, ""},
		{one, "sql", "good", `{"rows":[[1]]}`, ""},
		{two, "hr", "good", `{"rows":[[2]]}`, ""},
		{one, "", "wrong", "", "gold.sql (wrong): no such column"},
		{one, "", "empty", "", "it has no rows"},
		{one, "", "cut", "", "more than 1 rows"},
		{one, "", "blob", "", "a value is a blob"},
		{one, "", "lost", "", "the process ended"},
		{two, "", "good", "", "several databases (hr, sql)"},
		{two, "x", "good", "", `"x" is not a database of concur.yaml: name one of hr, sql`},
		{nil, "", "good", "", "needs a database"},
	} {
		r, err := databases(c.of).Gold(t.Context(), c.tool, c.statement)
		if c.err == "" && (err != nil || r.Table != c.table) || c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)) {
			t.Errorf("%s %s: %+v, %v", c.tool, c.statement, r, err)
		}
	}
	var none *execution.Databases
	if _, err := none.Tool(""); err == nil {
		t.Error("nil has a tool")
	}
}

// Results of an earlier run need no database; a database with other content than in that run is an error.
func TestKnown(t *testing.T) {
	d := databases(map[string]fake{"sql": {"new": `[[1]]`}})
	d.Known = execution.Known{}
	d.Known.Add([]execution.Result{{Tool: "sql", Statement: "old", Database: "d0", Table: `{"rows":[[5]]}`, Traces: []int{1}}})
	r, err := d.Execute(t.Context(), "sql", "old")
	if err != nil || r.Table != `{"rows":[[5]]}` || r.Traces != nil {
		t.Errorf("%+v, %v", r, err)
	}
	if _, err := d.Execute(t.Context(), "sql", "new"); err == nil || !strings.Contains(err.Error(), "has changed since the run") {
		t.Error(err)
	}
}

// step is a call of a trace with its result: a text of JSON; "error: …"; or "" for a call without an observation.
type step struct{ path, tool, input, output string }

func eventsOf(steps []step) (events []trace.Event) {
	for i, s := range steps {
		id := fmt.Sprint(i)
		events = append(events, trace.Event{Path: s.path, Body: trace.Action{Name: s.tool, CallID: id, Input: json.RawMessage(s.input)}})
		observation := trace.Observation{CallID: id}
		if text, failed := strings.CutPrefix(s.output, "error: "); failed {
			observation.Error = &text
		} else {
			observation.Output = json.RawMessage(s.output)
		}
		if s.output != "" {
			events = append(events, trace.Event{Path: s.path, Body: observation})
		}
	}
	return events
}

func TestLast(t *testing.T) {
	of := fake{"one": `[[1]]`, "two": `[[2]]`, "none": `[]`, "lost": "lost"}
	call := func(statement, output string) step {
		return step{"", "sql", fmt.Sprintf(`{"statement": %q}`, statement), output}
	}
	rows := `{"columns": ["a"], "rows": [[7]], "row_count": 1}`
	for name, c := range map[string]struct {
		steps       []step
		tried       []string
		found       bool
		reason, err string
	}{
		"no call":                   {nil, nil, false, "", ""},
		"another tool":              {[]step{{"", "calc", `{"statement": "one"}`, rows}}, nil, false, "", ""},
		"the last one":              {[]step{call("one", rows), call("two", rows)}, []string{"two"}, true, "", ""},
		"rows are not believed":     {[]step{call("one", `{"rows": [[99]]}`)}, []string{"one"}, true, "", ""},
		"a failed one":              {[]step{call("one", rows), call("two", "error: timeout")}, []string{"one"}, true, "", ""},
		"one without rows":          {[]step{call("one", rows), call("none", `{"rows": []}`)}, []string{"one"}, true, "", ""},
		"unknown output":            {[]step{call("one", `"text"`), call("none", `"text"`), call("wrong", "")}, []string{"wrong", "none", "one"}, true, "", ""},
		"only failures":             {[]step{call("wrong", `"text"`)}, []string{"wrong"}, false, "", ""},
		"a failure the second time": {[]step{call("one", rows), call("wrong", rows)}, []string{"wrong"}, false, "executed again: no such column", ""},
		"the database ends":         {[]step{call("lost", rows)}, nil, false, "", "the process ended"},
		"a server's tool":           {[]step{{"", "shop__sql", `{"query": "one"}`, rows}}, []string{"one"}, true, "", ""},
		"named sql":                 {[]step{{"", "sql", `{"sql": "one"}`, rows}}, []string{"one"}, true, "", ""},
		"no statement":              {[]step{{"", "sql", `{"sql": 3}`, rows}, {"", "sql", `[`, rows}}, nil, false, "", ""},
		"a sub-agent":               {[]step{{"b#1", "sql", `{"sql": "one"}`, rows}, {"a#10", "sql", `{"sql": "two"}`, rows}}, []string{"two"}, true, "", ""},
		"own before a sub-agent":    {[]step{call("one", rows), {"b#1", "sql", `{"sql": "two"}`, rows}}, []string{"one"}, true, "", ""},
	} {
		trial, err := databases(map[string]fake{"sql": of}).Last(t.Context(), "sql", eventsOf(c.steps))
		if c.err != "" {
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		var tried []string
		for _, r := range trial.Tried {
			tried = append(tried, r.Statement)
		}
		if diff := cmp.Diff(c.tried, tried); diff != "" || err != nil || trial.Found != c.found || !strings.HasSuffix(trial.Reason, c.reason) ||
			trial.Found != (trial.Reason == "") {
			t.Errorf("%s: %+v, %v %s", name, trial, err, diff)
		}
	}
	var many []step
	for i := range 100 {
		many = append(many, call(fmt.Sprint("wrong", i), `"text"`))
	}
	if trial, err := databases(map[string]fake{"sql": of}).Last(t.Context(), "sql", eventsOf(many)); err != nil || len(trial.Tried) != 20 {
		t.Errorf("%d of 100 statements were executed, %v", len(trial.Tried), err)
	}
}
