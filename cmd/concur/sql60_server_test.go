package main

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/runner/store/runlist"
	"github.com/seed-5817661a/concur/tool/sql"
	"github.com/seed-5817661a/concur/tool/sql/sqltest"
)

// TestServerEqualsFilesInSQL60: the offline model and the golds of sql60 get the same rows from the CSV files and from
// a PostgreSQL server with the same content, and so the same verdicts. Their averages have different numbers of digits.
func TestServerEqualsFilesInSQL60(t *testing.T) {
	if testing.Short() {
		t.Skip("it starts a database server")
	}
	p := sqltest.StartPostgres(t, os.Getenv(sqltest.Programs))
	dir := t.TempDir()
	var tools []string
	declared := ""
	for _, name := range datasets.DatabasesOf("sql60") {
		database := filepath.Base(name)
		p.Run(t, "CREATE DATABASE "+database)
		p.RunIn(t, database, append(tablesOf(t, name), "GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader")...)
		variable := strings.ToUpper(database) + "_DSN"
		t.Setenv(variable, p.AddressOf("postgres", "reader:reader-password", database))
		declared += fmt.Sprintf("  %[1]s: {database: {env: %[2]s}, about: Read the database of the %[1]s with SQL.}\n", database, variable)
		tools = append(tools, database, database+sql.SchemaSuffix)
	}
	configuration := filepath.Join(dir, "concur.yaml")
	write(t, configuration, fmt.Sprintf("agent: {tools: [%s, calc]}\ntools:\n%s", strings.Join(tools, ", "), declared))

	files := outcomesOfSQL60(t, filepath.Join(dir, "files"))
	server := outcomesOfSQL60(t, filepath.Join(dir, "server"), "--config", configuration)
	if diff := cmp.Diff(files, server); diff != "" {
		t.Errorf("-files +server:\n%s", diff)
	}
	right := 0
	for _, outcome := range server {
		if strings.Contains(outcome, ", correct") {
			right++
		}
	}
	if len(server) != 60 || right < 40 {
		t.Errorf("%d of %d queries are right: too few to compare anything", right, len(server))
	}
	t.Logf("%d of %d queries are right, on both", right, len(server))
}

// outcomesOfSQL60 runs sql60 and returns the outcome and the verdict of each query.
func outcomesOfSQL60(t *testing.T, runs string, options ...string) map[string]string {
	t.Helper()
	code, out, errs := invoke(append([]string{"run", "sql60", "-k", "1", "--quiet", "--runs-dir", runs}, options...)...)
	if code != exitOK {
		t.Fatalf("%v: exit code %d: %s\n%s", options, code, errs, out)
	}
	run, err := runlist.Find(runs, runlist.Latest)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	for r, err := range run.Records() {
		if err != nil {
			t.Fatal(err)
		}
		found[r.Query] = string(r.Consensus.Outcome) + ", " + string(r.Verdict.Verdict)
	}
	return found
}

// tablesOf returns statements that make and fill the tables of a built-in database. A column whose cells are all
// numbers has a type for numbers; dates are texts, as in SQLite.
func tablesOf(t *testing.T, database string) (statements []string) {
	t.Helper()
	folder, err := datasets.OpenDatabase(database)
	if err != nil {
		t.Fatal(err)
	}
	names, err := fs.Glob(folder, "*.csv")
	if err != nil || len(names) == 0 {
		t.Fatalf("%s has no tables: %v", database, err)
	}
	for _, name := range names {
		file, err := folder.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		rows, err := csv.NewReader(file).ReadAll()
		if err = errors.Join(err, file.Close()); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		table := strings.TrimSuffix(name, ".csv")
		var columns []string
		for i, column := range rows[0] {
			columns = append(columns, column+" "+columnType(rows[1:], i))
		}
		statements = append(statements, fmt.Sprintf("CREATE TABLE %s (%s)", table, strings.Join(columns, ", ")))
		for _, row := range rows[1:] {
			var values []string
			for _, cell := range row {
				value := "NULL"
				if cell != "" {
					value = "'" + strings.ReplaceAll(cell, "'", "''") + "'"
				}
				values = append(values, value)
			}
			statements = append(statements, fmt.Sprintf("INSERT INTO %s VALUES (%s)", table, strings.Join(values, ", ")))
		}
	}
	return statements
}

// columnType returns the type of a column: the first of integers, numbers and texts that all its cells have.
func columnType(rows [][]string, column int) string {
	kind := "bigint"
	for _, row := range rows {
		cell := row[column]
		if cell == "" {
			continue
		}
		if _, err := strconv.ParseInt(cell, 10, 64); err == nil {
			continue
		}
		if _, err := strconv.ParseFloat(cell, 64); err != nil {
			return "text"
		}
		kind = "double precision"
	}
	return kind
}
