package offline_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/model"
)

func init() {
	for _, name := range []string{"garage", "shop"} {
		tools[name] = model.ToolSpec{Name: name, Parameters: json.RawMessage(`{"type":"object","properties":{"statement":{"type":"string"}},"required":["statement"]}`)}
		tools[name+"_schema"] = model.ToolSpec{Name: name + "_schema", Parameters: json.RawMessage(`{"type":"object","properties":{}}`)}
	}
}

// A database is asked with one statement, after its tables were looked at. The one whose names fit is asked.
func TestDatabase(t *testing.T) {
	const count = "SELECT count(*) FROM cars"
	rows := func(rows string) string {
		return `{"columns":["x"],"results":[{"id":"sql_1","title":"SELECT","snippet":"x: 7","source":"sql:garage","score":1}],"row_count":1,"rows":` + rows + `,"types":["integer"]}`
	}
	for name, c := range map[string]struct{ tools, question, rows, want, statement string }{
		"one":            {"garage garage_schema", "How many cars are there?", rows("[[7]]"), "7", count},
		"two":            {"shop shop_schema garage garage_schema calc", "How many cars are there?", rows("[[7]]"), "7", count},
		"many rows":      {"garage garage_schema", "Which cars are there?", rows(`[["Kite"],["Wren"],["Kite"]]`), "Kite; Wren", "SELECT cars.model FROM cars"},
		"too many rows":  {"garage garage_schema", "What is the model of car 3?", rows(`[["Kite"],["Wren"]]`), "[ABSTAIN]", "SELECT cars.model FROM cars WHERE cars.car_id = 3"},
		"large number":   {"garage garage_schema", "How many cars are there?", rows("[[9007199254740993]]"), "9007199254740993", count},
		"null":           {"garage garage_schema", "What is the model of car 3?", rows("[[null]]"), "[ABSTAIN]", "SELECT cars.model FROM cars WHERE cars.car_id = 3"},
		"zero":           {"garage garage_schema", "How many cars are there?", rows("[[0]]"), "[ABSTAIN]", count},
		"cut":            {"garage garage_schema", "Which cars are there?", `{"cut":"rows","rows":[["Kite"]]}`, "[ABSTAIN]", "SELECT cars.model FROM cars"},
		"error":          {"garage garage_schema", "How many cars are there?", "ERROR: bad_request: no such table: cars", "[ABSTAIN]", count},
		"no such column": {"garage garage_schema", "Which mechanic repaired car 3?", "", "[ABSTAIN]", ""},
		"no schema":      {"garage calc", "How many cars are there?", "", "[ABSTAIN]", ""},
		"a calculation":  {"calc garage garage_schema", "What is 12 times 11?", "", "132", ""},
	} {
		final, calls := script{tools: strings.Fields(c.tools), override: func(call model.ToolCall) string {
			switch call.Name {
			case "garage_schema":
				return `{"tables":[{"name":"cars","columns":[{"name":"car_id","type":"integer"},{"name":"model","type":"text"}],"rows":[[1,"Kite"]]}]}`
			case "shop_schema":
				return `{"tables":[{"name":"sales","columns":[{"name":"price","type":"real"}],"rows":[]}]}`
			case "garage", "shop":
				return c.rows
			}
			return ""
		}}.run(t, c.question)
		var statements []string
		for _, call := range calls {
			tool, arguments, _ := strings.Cut(call, " ")
			var of struct{ Statement string }
			if err := json.Unmarshal([]byte(arguments), &of); err != nil {
				t.Fatal(err)
			}
			if of.Statement != "" {
				statements = append(statements, of.Statement)
			}
			if tool == "shop" {
				t.Errorf("%s: the other database was asked", name)
			}
		}
		if got := strings.Join(statements, "; "); got != c.statement || short(final) != c.want {
			t.Errorf("%s: asked %q and answered %s", name, got, final)
		}
		if cites := strings.Contains(final, "[sql_1]."); cites != (c.want != "[ABSTAIN]" && c.statement != "") {
			t.Errorf("%s: cites %v: %s", name, cites, final)
		}
	}
}
