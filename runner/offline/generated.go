package offline

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/runner/offline/program"
	"github.com/seed-5817661a/concur/runner/offline/statement"
)

// program answers with the result of a program. It returns false if no tool runs JavaScript, or if no program is known
// for the question.
func (d *lookupState) program() (finding, bool) {
	tool := d.conv.interpreter()
	if tool == "" {
		return finding{}, false
	}
	code, ok := program.Write(d.conv.question)
	if !ok {
		return finding{}, false
	}
	o, asked := d.conv.find(tool, "code", code)
	if !asked && d.conv.can(tool) {
		args := map[string]any{"code": code}
		if slices.Contains(d.conv.required[tool], "language") {
			args["language"] = javaScript
		}
		d.call(tool, args)
		return finding{state: pending}, true
	}
	return o.readResult(d.library), true
}

// javaScript is the language of all programs.
const javaScript = "javascript"

// interpreter returns the first tool of the request that runs programs in JavaScript, or "".
func (c *conversation) interpreter() string {
	for _, name := range slices.Sorted(maps.Keys(c.required)) {
		required := slices.DeleteFunc(slices.Clone(c.required[name]), func(key string) bool { return key == "language" })
		if slices.Equal(required, []string{"code"}) && slices.Contains(c.languages[name], javaScript) {
			return name
		}
	}
	return ""
}

// readResult reads the answer from the result of a program. A program that failed has none.
func (o observation) readResult(documents *library) finding {
	var body struct {
		Result any   `json:"result"`
		Cut    []any `json:"cut"`
	}
	dec := json.NewDecoder(strings.NewReader(o.text))
	dec.UseNumber()
	if o.failed || dec.Decode(&body) != nil || len(body.Cut) > 0 {
		return finding{}
	}
	f := finding{state: found, leads: o.firstPassages(documents)}
	switch v := body.Result.(type) {
	case bool:
		f.text = "no"
		if v {
			f.text = "yes"
		}
	case []any:
		parts := make([]string, len(v))
		for i := range v {
			parts[i] = fmt.Sprint(v[i])
		}
		f.text = strings.Join(parts, "; ")
	case string, json.Number:
		f.text = fmt.Sprint(v)
	}
	return f
}

// firstPassages returns the beginnings of the documents of a result, which the answer cites.
func (o observation) firstPassages(documents *library) (leads []lead) {
	for _, doc := range o.documents() {
		if a := documents.article(doc); len(a.passages) > 0 {
			leads = append(leads, lead{last: a.passages[0]})
		}
	}
	return leads
}

// Databases are tools whose only argument is a statement. Beside each, a tool with the suffix _schema shows the tables.
// The reader looks at the tables of all databases first. Then it asks the database whose names explain most of the
// question for the answer, with one statement.

const schemaSuffix = "_schema"

// database answers with the result of a statement. It returns false if no database is offered, or if no statement is
// known for the question.
func (d *lookupState) database() (finding, bool) {
	var best statement.Statement
	from := ""
	for _, name := range d.conv.databases() {
		o, seen := d.conv.result(name + schemaSuffix)
		if !seen {
			if d.conv.can(name + schemaSuffix) {
				d.call(name+schemaSuffix, map[string]any{})
			}
			continue
		}
		var body struct {
			Tables []statement.Table `json:"tables"`
		}
		_ = json.Unmarshal([]byte(o.text), &body) // a cut or failed result has no tables
		s, ok := statement.Write(d.conv.question, name+" "+d.conv.about[name], body.Tables)
		if ok && (from == "" || s.Score > best.Score) {
			best, from = s, name
		}
	}
	switch {
	case len(d.calls) > 0:
		return finding{state: pending}, true
	case from == "":
		return finding{}, false
	}
	o, asked := d.conv.find(from, "statement", best.SQL)
	if !asked && d.conv.can(from) {
		d.call(from, map[string]any{"statement": best.SQL})
		return finding{state: pending}, true
	}
	return o.readRows(best, d.library), true
}

// databases lists the offered databases that can show their tables, and those whose tables were shown.
func (c *conversation) databases() (out []string) {
	for _, name := range slices.Sorted(maps.Keys(c.about)) {
		_, shows := c.about[name+schemaSuffix]
		if shows && slices.Equal(c.required[name], []string{"statement"}) {
			out = append(out, name)
		}
	}
	return out
}

// result returns the first call of a tool.
func (c *conversation) result(tool string) (observation, bool) {
	at := slices.IndexFunc(c.seen, func(o observation) bool { return o.tool == tool })
	if at < 0 {
		return observation{}, false
	}
	return c.seen[at], true
}

// readRows reads the answer from the rows of a result. It has none if there are no rows, only NULL, or several rows
// where the question asks for one.
func (o observation) readRows(s statement.Statement, documents *library) finding {
	var body struct {
		Rows [][]any `json:"rows"`
		Cut  string  `json:"cut"`
	}
	dec := json.NewDecoder(strings.NewReader(o.text))
	dec.UseNumber()
	if o.failed || dec.Decode(&body) != nil || body.Cut != "" {
		return finding{}
	}
	var values []string
	for _, row := range body.Rows {
		if len(row) != 1 || row[0] == nil {
			return finding{}
		}
		if v := fmt.Sprint(row[0]); !slices.Contains(values, v) {
			values = append(values, v)
		}
	}
	if len(values) == 0 || len(values) > 1 && !s.Many || s.Counts && values[0] == "0" {
		return finding{}
	}
	return finding{state: found, text: strings.Join(values, "; "), leads: o.firstPassages(documents)}
}
