package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/runner/store/runlist"
)

// shopFile writes a table with more rows than a call of the tool returns, and a configuration of a scripted model
// that can read it.
func shopFile(t *testing.T, moves map[string][]move) (configuration string) {
	configuration = scripted(t, moves)
	file := filepath.Join(filepath.Dir(configuration), "staff.csv")
	write(t, file, "id,name,salary,bonus\n1,Ada,3000,0\n2,Bob,2800,\n3,Cleo,3000,150\n4,Dan,4100,\n")
	raw, err := os.ReadFile(configuration)
	if err != nil {
		t.Fatal(err)
	}
	write(t, configuration, strings.Replace(string(raw), "agent: {tools: [calc], max_steps: 5}",
		"agent: {tools: [sql], max_steps: 5, guards: [repeat]}\ntools: {sql: {database: "+file+", max_rows: 2}}", 1))
	return configuration
}

// call is a move that executes a statement.
func call(statement string) move {
	raw, _ := json.Marshal(map[string]string{"statement": statement}) // a text has no error
	return move{tool: "sql", call: string(raw)}
}

// TestStatementGolds: concur's own agent with a database. Its last statement that returned rows is its answer, whatever
// it writes; rows that the tool cut are compared whole.
func TestStatementGolds(t *testing.T) {
	done, table := move{says: "Answer: see the rows"}, "Answer:\n\n| who | bonus |\n|---|---|\n| Cleo | 150 |\n| Ada | 0 |\n"
	conf := shopFile(t, map[string][]move{
		"All names":      {call("SELECT name FROM staff ORDER BY id"), done},
		"Names again":    {call("SELECT name FROM staff LIMIT 2"), done},
		"After a look":   {call("SELECT * FROM staff"), call("SELECT count(*) FROM staff"), done},
		"After an error": {call("SELECT sum(salary) FROM staff"), call("SELECT nosuch FROM staff"), done},
		"After nothing":  {call("SELECT 12900"), call("SELECT name FROM staff WHERE id > 9"), done},
		"Never":          {done},
		"Abstains":       {call("SELECT 1"), {says: "Answer: [ABSTAIN]"}},
		"As a table":     {{says: table}},
		"No table":       {{says: "Answer: Cleo has 150."}, {says: "Answer: Cleo has 150."}},
		"First":          {call("SELECT max(salary) FROM staff"), call("SELECT min(salary) FROM staff"), done}, // the second turn begins with the second call
	})
	dir := t.TempDir()
	file := filepath.Join(dir, "queries.yaml")
	write(t, file, `- {id: all, query: "All names?", gold: {sql: "SELECT name FROM staff"}}
- {id: again, query: "Names again?", gold: {sql: "SELECT name FROM staff"}}
- {id: look, query: "After a look?", gold: {sql: "SELECT 4.0"}}
- {id: error, query: "After an error?", gold: {sql: "SELECT 12900"}}
- {id: nothing, query: "After nothing?", gold: {sql: "SELECT sum(salary) FROM staff"}}
- {id: never, query: "Never?", gold: {sql: "SELECT 1"}}
- {id: abstains, query: "Abstains?", gold: {sql: "SELECT 1"}}
- {id: table, query: "As a table?", gold: {columns: [name, bonus], rows: [[Ada, 0], [Cleo, 150]]}}
- {id: notable, query: "No table?", gold: {rows: [[Cleo, 150]]}}
- id: talk
  turns:
    - {query: "First?", gold: {sql: "SELECT 2800.0"}}
    - {query: "Second?", gold: {sql: "SELECT salary FROM staff WHERE name = 'Bob'"}}
`)
	code, out, errs := invoke("run", file, "--config", conf, "--runs-dir", dir, "--quiet", "-k", "2")
	if code != exitOK {
		t.Fatalf("exit %d: %s\n%s", code, errs, out)
	}
	verdicts := func() map[string]string {
		run, err := runlist.Find(dir, runlist.Latest)
		if err != nil {
			t.Fatal(err)
		}
		found := map[string]string{}
		for r, err := range run.Records() {
			if err != nil {
				t.Fatal(err)
			}
			found[r.Query] = string(r.Consensus.Outcome) + ", " + string(r.Verdict.Verdict) + ": " + r.Verdict.Reason
		}
		return found
	}
	want := map[string]string{
		"all":   "answered, correct: equal tables",
		"again": `answered, incorrect: it has 2 rows, and the gold has 4: the row ["Cleo"] is missing`,
		"look":  "answered, correct: equal tables", "error": "answered, correct: equal tables",
		"nothing":  "answered, correct: equal tables",
		"never":    "no_answer, incorrect: no answer; expected SELECT 1",
		"abstains": "abstained, incorrect: abstained; expected SELECT 1",
		"table":    "answered, correct: equal tables",
		"notable":  `no_answer, incorrect: no answer; expected {"rows":[["Cleo",150]]}`,
		"talk":     "answered, correct: all turns (2) are right",
	}
	if diff := cmp.Diff(want, verdicts()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if err := os.Remove(filepath.Join(filepath.Dir(conf), "staff.csv")); err != nil {
		t.Fatal(err)
	}
	for _, again := range [][]string{{"run", "--replay", "latest", "--runs-dir", dir, "--quiet"}, {"rejudge", "latest", "--runs-dir", dir, "--quiet"}} {
		if code, out, errs := invoke(again...); code != exitOK {
			t.Fatalf("%v: exit %d: %s\n%s", again, code, errs, out)
		}
		if diff := cmp.Diff(want, verdicts()); diff != "" {
			t.Errorf("%v, -want +got:\n%s", again, diff)
		}
	}
}
