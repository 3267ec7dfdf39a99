package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/tool/sql/sqltest"
)

// TestSQLServer: an agent reads a database on a server. The run has the rows, the place of the database and the
// warning, but never the login, and its replay needs no server.
func TestSQLServer(t *testing.T) {
	p := sqltest.StartPostgres(t, os.Getenv(sqltest.Programs))
	t.Setenv("SHOP_DSN", p.Address("reader"))
	conf := scripted(t, map[string][]move{"How much did Ada spend": {
		{tool: "sql", call: `{"statement": "SELECT sum(price) FROM orders WHERE customer = 1"}`},
		{tool: "sql", call: `{"statement": "SELECT nosuch FROM orders"}`},
		{says: "Answer: 29.5"},
	}})
	text, err := os.ReadFile(conf)
	if err != nil {
		t.Fatal(err)
	}
	write(t, conf, strings.Replace(string(text), "tools: [calc]", "tools: [sql, sql_schema]", 1)+"tools:\n  sql: {database: {env: SHOP_DSN}}\n")
	dir := t.TempDir()
	dataset := filepath.Join(dir, "queries.jsonl")
	write(t, dataset, `{"id": "ada", "category": "calculation", "query": "How much did Ada spend?", "gold": {"type": "decimal", "answer": "29.5"}, "source": "computed"}`+"\n")
	code, _, errs := invoke("run", dataset, "--config", conf, "--runs-dir", filepath.Join(dir, "runs"), "-k", "2")
	if code != 0 {
		t.Fatalf("exit code %d: %s", code, errs)
	}
	if want := "/shop may change between runs"; !strings.Contains(errs, want) {
		t.Errorf("no warning %q:\n%s", want, errs)
	}
	all := errs
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		raw, err := os.ReadFile(path)
		all += string(raw)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"29.5", `column \"nosuch\" does not exist`, "SHOP_DSN"} {
		if !strings.Contains(strings.ReplaceAll(all, `\\\"`, `\"`), want) {
			t.Errorf("the run has no %q", want)
		}
	}
	if strings.Contains(all, "reader-password") || strings.Contains(all, "postgres://") {
		t.Error("the login is in the run folder or in a message")
	}
	p.Kill()
	t.Setenv("SHOP_DSN", "")
	code, out, errs := invoke("run", "--replay", "latest", "--config", conf, "--runs-dir", filepath.Join(dir, "runs"))
	if code != 0 {
		t.Errorf("replay without a server: exit code %d: %s%s", code, out, errs)
	}
}
