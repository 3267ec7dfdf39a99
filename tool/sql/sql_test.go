package sql_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"github.com/seed-5817661a/concur/tool"
	"github.com/seed-5817661a/concur/tool/sql"
)

// declare reads the settings of a database named shop.
func declare(settings string) (tool.Declared, error) {
	return sql.Kind.Read("shop", func(into any) error { return yamlOf(settings, into) })
}

func yamlOf(settings string, into any) error { return yaml.Unmarshal([]byte(settings), into) }

func Example() {
	dir, _ := os.MkdirTemp("", "sql")
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "prices.csv")
	_ = os.WriteFile(file, []byte("thing,price\nlamp,20\nchair,35.5\n"), 0o600)
	declared, err := declare("database: " + file)
	if err != nil {
		fmt.Println(err)
		return
	}
	t, _, err := declared.Open(context.Background())
	if err != nil {
		fmt.Println(err)
		return
	}
	out, err := t.Call(context.Background(), json.RawMessage(`{"statement": "SELECT sum(price) AS total FROM prices"}`))
	fmt.Println(out.Object["columns"], out.Object["rows"], err)
	// Output: [total] [[55.5]] <nil>
}

// A result has its rows, and a document that names them; a wrong statement is the agent's error.
func TestCall(t *testing.T) {
	file := filepath.Join(t.TempDir(), "staff.csv")
	if err := os.WriteFile(file, []byte("name,code,salary\nAda,007,1200\nBob,,\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	d, err := declare("{database: [" + file + "], about: Staff of a shop.}")
	if err != nil {
		t.Fatal(err)
	}
	opened, digest, err := d.Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer opened.(interface{ Close() error }).Close()
	out, err := opened.Call(t.Context(), json.RawMessage(`{"statement": "SELECT name,\n code, salary FROM staff"}`))
	if err != nil {
		t.Fatal(err)
	}
	if len(out.Documents) != 1 || out.Documents[0].Title != "SELECT name, code, salary FROM staff" ||
		out.Documents[0].Snippet != "name: Ada; code: 007; salary: 1200\nname: Bob; code: NULL; salary: NULL" {
		t.Errorf("%+v", out.Documents)
	}
	for statement, want := range map[string]string{"DROP TABLE staff": "can only be read", " ": "empty", "SELECT x": "no such column"} {
		raw, _ := json.Marshal(map[string]string{"statement": statement}) // encoding texts never fails
		_, err := opened.Call(t.Context(), raw)
		refused, is := errors.AsType[*tool.RequestError](err)
		if !is || refused.Kind != tool.BadRequest || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", statement, err)
		}
	}
	if err := os.WriteFile(file, []byte("name,code,salary\nAda,007,1300\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	changed, other, err := d.Open(t.Context())
	if err != nil || other == digest {
		t.Errorf("the digest of another content is %s, was %s; %v", other, digest, err)
	}
	_ = changed.(interface{ Close() error }).Close()
}

// Each mistake in the settings is named.
func TestSettings(t *testing.T) {
	for settings, want := range map[string]string{
		"database: ''":                     "database is empty",
		"database: []":                     "database is empty",
		"{database: a.db, tables: ['']}":   "tables has an empty name",
		"{database: a.db, max_rows: 0}":    "max_rows is 0",
		"{database: a.db, max_bytes: 1}":   "max_bytes is 1",
		"{database: a.db, timeout: 1ms}":   "timeout is 1ms",
		"{database: a.db, timeout: 1000h}": "timeout is 1000h",
	} {
		if _, err := declare(settings); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", settings, err, want)
		}
	}
}

// Each fault of a file is named, and nothing stays in the folder for temporary files.
func TestFiles(t *testing.T) {
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	dir := t.TempDir()
	for name, text := range map[string]string{
		"empty.csv": "", "ragged.csv": "a,b\n1,2\n3\n", "twice.csv": "a,A\n1,2\n", "unnamed.csv": "a,\n1,2\n",
		"wide.csv": strings.Repeat("c,", 2000) + "d\n", "text.db": "a text", "notes.txt": "x",
		"old.db": "SQLite format 3\x00 and more", "old.db-wal": "rows", "same/x.csv": "a\n1\n", "x.csv": "a\n1\n",
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	for database, want := range map[string]string{
		"empty.csv": "the file is empty", "ragged.csv": "line 3 has 1 cells, the first row has 2",
		"twice.csv": "two columns have the name A", "unnamed.csv": "column 2 has no name", "wide.csv": "2001 columns",
		"text.db": "no SQLite file", "none.db": "there is no such file", "[x.csv, none.csv]": "none.csv: there is no such file",
		"[x.csv, notes.txt]": "notes.txt is not a table", "old.db": "sqlite3 old.db 'PRAGMA wal_checkpoint(TRUNCATE)'",
		"[x.csv, same/x.csv]": "would be the same table",
	} {
		d, err := declare("database: " + database)
		if err == nil {
			_, _, err = d.Open(t.Context())
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", database, err, want)
		}
	}
	left, err := os.ReadDir(temporary)
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v %v", left, err)
	}
}
