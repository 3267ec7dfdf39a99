package sql_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/tool"
)

// TestGoldOfSQL60 executes the statement of each question of sql60, and compares its result with the gold.
func TestGoldOfSQL60(t *testing.T) {
	databases := map[string]tool.Tool{}
	for _, name := range datasets.DatabasesOf("sql60") {
		d, err := declare("database: " + name)
		if err != nil {
			t.Fatal(err)
		}
		opened, _, err := d.Open(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer opened.(io.Closer).Close()
		databases[strings.TrimPrefix(name, "builtin:sql60/")] = opened
	}
	set, err := datasets.Open("sql60")
	if err != nil {
		t.Fatal(err)
	}
	executed := 0
	for _, q := range set.Queries {
		database := databases[q.Meta["database"]]
		if database == nil {
			t.Fatalf("%s: there is no database %q", q.ID, q.Meta["database"])
		}
		statement := cmp.Or(q.Meta["sql"], q.Gold.SQL)
		want, kind := q.Gold.Answer, q.Gold.Type
		if q.Gold.SQL != "" {
			want, kind = q.Meta["answer"], answer.List
			if q.Gold.Tool != q.Meta["database"] || q.Meta["sql"] != "" {
				t.Errorf("%s: gold %+v, meta %v", q.ID, q.Gold, q.Meta)
			}
		}
		if (q.Category == "unanswerable") != (statement == "") {
			t.Errorf("%s: its statement is %q", q.ID, statement)
		}
		if statement == "" {
			continue
		}
		executed++
		raw, _ := json.Marshal(map[string]string{"statement": statement}) // encoding texts never fails
		out, err := database.Call(t.Context(), raw)
		if err != nil {
			t.Errorf("%s: %v", q.ID, err)
			continue
		}
		var cells []string
		for _, row := range out.Object["rows"].([][]any) {
			cells = append(cells, fmt.Sprint(row[0]))
		}
		if joins := strings.Contains(statement, "JOIN") || strings.Contains(statement, "NOT IN (SELECT"); joins != (q.Category == "join") {
			t.Errorf("%s is in the category %s: %s", q.ID, q.Category, statement)
		}
		got := strings.Join(cells, "; ")
		if ok, reason := answer.Match(got, want, kind, nil, q.Gold.Tolerance, q.Gold.Options); !ok {
			t.Errorf("%s: the statement gives %q, the gold is %q: %s", q.ID, got, want, reason)
		}
	}
	if executed != 54 {
		t.Errorf("%d statements were executed", executed)
	}
}

// A name that no built-in database has is an error that lists the names.
func TestUnknownBuiltin(t *testing.T) {
	d, err := declare("database: builtin:sql60/harbour")
	if err != nil {
		t.Fatal(err)
	}
	_, _, err = d.Open(t.Context())
	if err == nil || !strings.Contains(err.Error(), "there is no built-in database builtin:sql60/harbour: name builtin:sql60/bakery, ") {
		t.Error(err)
	}
}
