package offline_test

import (
	"cmp"
	"encoding/json"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/model"
)

func init() {
	for name, languages := range map[string]string{"code": `"javascript"`, "runner": `"python","javascript"`, "snake": `"python"`} {
		required := map[string]string{"runner": `"language","code"`}[name]
		tools[name] = model.ToolSpec{Name: name, Parameters: json.RawMessage(`{"type":"object","properties":{"language":{"enum":[` + languages +
			`]},"code":{"type":"string"},"arguments":{}},"required":[` + cmp.Or(required, `"code"`) + `]}`)}
	}
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

// A tool that runs JavaScript gets one program; the answer is its result.
func TestProgram(t *testing.T) {
	result := func(result string) string {
		return `{"duration_ms":1,"exit":0,"result":` + result + `,"results":[{"id":"code_1","title":"javascript","snippet":"x","source":"code","score":1}],"stderr":"","stdout":""}`
	}
	const question = "What is the greatest common divisor of 12 and 18?"
	for name, c := range map[string]struct{ tools, question, result, want, language string }{
		"one language":  {"code", question, result("6"), "6", "none"},
		"two":           {"calc runner", question, result("6"), "6", "javascript"},
		"large":         {"code", question, result(`"9007199254740993"`), "9007199254740993", "none"},
		"boolean":       {"code", "Is 91 a prime number?", result("false"), "no", "none"},
		"list":          {"code", "What are the prime factors of 12?", result("[2,2,3]"), "2; 2; 3", "none"},
		"no value":      {"code", question, result("null"), "[ABSTAIN]", "none"},
		"failed":        {"code", question, "ERROR: bad_request: time: the program ran longer than 1s", "[ABSTAIN]", "none"},
		"cut":           {"code", question, `{"result":"12","cut":["result"]}`, "[ABSTAIN]", "none"},
		"no such shape": {"code", "Who drew the first map of the moon?", "", "[ABSTAIN]", ""},
		"only Python":   {"snake", question, result("6"), "[ABSTAIN]", ""},
		"arithmetic":    {"calc code", "What is 12 times 11?", "", "132", ""},
	} {
		final, calls := script{tools: strings.Fields(c.tools), override: func(call model.ToolCall) string {
			if call.Name == "calc" {
				return ""
			}
			return c.result
		}}.run(t, c.question)
		language := ""
		for _, call := range calls {
			tool, arguments, _ := strings.Cut(call, " ")
			var of struct{ Code, Language string }
			if err := json.Unmarshal([]byte(arguments), &of); err != nil {
				t.Fatal(err)
			}
			if tool != "calc" {
				language = cmp.Or(of.Language, "none")
			}
		}
		if short(final) != c.want || language != c.language {
			t.Errorf("%s: language %q, answered %s", name, language, final)
		}
	}
}
