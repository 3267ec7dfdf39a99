package sql_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ncruces/go-sqlite3"
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
		"wide.csv": strings.Repeat("c,", 2000) + "d\n", "nul.csv": "a\x00,b\n1,2\n",
		"latin.csv": "n\xe4me,b\n1,2\n", "latin2.csv": "name,b\nZo\xeb,2\n", "zeros.db": strings.Repeat("\x00", 10000), "text.db": "a text", "notes.txt": "x",
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
		"twice.csv": "two columns have the name A", "unnamed.csv": "column 2 has no name", "nul.csv": "the name of column 1 has a NUL byte",
		"latin.csv": "latin.csv: line 1: cell 1 is not in UTF-8", "latin2.csv": "line 2: cell 1 is not in UTF-8", "zeros.db": "no SQLite file", "wide.csv": "2001 columns",
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

// callOf opens a database and runs a statement.
func callOf(t *testing.T, settings, statement string) (tool.Output, error) {
	t.Helper()
	d, err := declare(settings)
	if err != nil {
		t.Fatal(err)
	}
	opened, _, err := d.Open(t.Context())
	if err != nil {
		return tool.Output{}, err
	}
	defer opened.(interface{ Close() error }).Close()
	raw, _ := json.Marshal(map[string]string{"statement": statement}) // encoding texts never fails
	return opened.Call(t.Context(), raw)
}

// Content that programs write by mistake is kept: NUL bytes in cells, 2,000 columns.
func TestOddContent(t *testing.T) {
	dir := t.TempDir()
	head, row := make([]string, 2000), make([]string, 2000)
	for i := range head {
		head[i], row[i] = fmt.Sprint("c", i), fmt.Sprint(i)
	}
	for name, content := range map[string]string{
		"wide.csv": strings.Join(head, ",") + "\n" + strings.Join(row, ",") + "\n", "nul.csv": "name,size\nA\x00b,1\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for statement, want := range map[string]string{
		"SELECT c0, c1999 FROM wide":                "[[0 1999]]",
		"SELECT length(name), hex(name) FROM nul":   "[[1 410062]]", // SQLite's length ends at NUL
		"SELECT size FROM nul WHERE name LIKE 'A%'": "[[1]]",
	} {
		out, err := callOf(t, "database: "+dir, statement)
		if got := fmt.Sprint(out.Object["rows"]); err != nil || got != want {
			t.Errorf("%s: got %s %v, want %s", statement, got, err, want)
		}
	}
	out, err := callOf(t, "database: "+dir, "SELECT * FROM wide")
	if err != nil || len(out.Object["columns"].([]string)) != 2000 {
		t.Errorf("2,000 columns: %v", err)
	}
}

// A damaged file is refused at the start if its schema or first rows cannot be read. Otherwise a statement that meets
// the damage fails by the file's fault, and is not the agent's error.
func TestDamaged(t *testing.T) {
	file := filepath.Join(t.TempDir(), "shop.db")
	c, err := sqlite3.Open("file:" + file)
	if err != nil {
		t.Fatal(err)
	}
	err = c.Exec("CREATE TABLE t (a, b); WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n LIMIT 5000) " +
		"INSERT INTO t SELECT x, printf('%100d', x) FROM n")
	if err := errors.Join(err, c.Close()); err != nil {
		t.Fatal(err)
	}
	good, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	damaged := slices.Clone(good)
	for i := 20 * 4096; i < 40*4096; i++ {
		damaged[i] = 0xff
	}
	for name, text := range map[string][]byte{"damaged": damaged, "half": good[:len(good)/2], "head": good[:100]} {
		if err := os.WriteFile(file, text, 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := callOf(t, "database: "+file, "SELECT sum(length(b)) FROM t")
		failed, is := errors.AsType[*tool.BackendError](err)
		if is != (name == "damaged") || is && failed.Kind != "upstream" || err == nil || !strings.Contains(err.Error(), "is damaged or cannot be read") {
			t.Errorf("%s: %v", name, err)
		}
	}
	_, err = callOf(t, "database: "+file+".none", "SELECT 1")
	if err == nil || !strings.Contains(err.Error(), "there is no such file") {
		t.Error(err)
	}
}

// A large file whose end has no rows, and a file that another process has locked, are read.
func TestLargeAndLocked(t *testing.T) {
	file := filepath.Join(t.TempDir(), "shop.db")
	c, err := sqlite3.Open("file:" + file)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if err := c.Exec("CREATE TABLE t (a); INSERT INTO t VALUES (7)"); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(file, 300<<20); err != nil {
		t.Fatal(err)
	}
	if err := c.Exec("BEGIN EXCLUSIVE"); err != nil {
		t.Fatal(err)
	}
	if out, err := callOf(t, "database: "+file, "SELECT a FROM t"); err != nil || fmt.Sprint(out.Object["rows"]) != "[[7]]" {
		t.Errorf("locked, before a change: %v %v", out.Object, err)
	}
	if err := c.Exec("PRAGMA cache_size=1; INSERT INTO t SELECT randomblob(9000) FROM (VALUES (1), (2), (3), (4), (5), (6))"); err != nil {
		t.Fatal(err)
	}
	if _, err := callOf(t, "database: "+file, "SELECT a FROM t"); err == nil || !strings.Contains(err.Error(), "shop.db-journal shows that a change was not finished") {
		t.Errorf("locked, during a change: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := c.Exec("ROLLBACK"); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(file, time.Time{}, time.Unix(1e9, 0)); err != nil { // another version, which is not known yet
		t.Fatal(err)
	}
	d, err := declare("database: " + file)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := d.Open(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled start: %v", err)
	}
}
