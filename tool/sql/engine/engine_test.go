package engine_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/tool/sql/engine"
)

// shop is a small database of a shop: three customers and their orders.
func shop(t testing.TB) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "shop #1?.db")
	columns := func(names ...string) (out []engine.Column) {
		for _, name := range names {
			out = append(out, engine.Column{Name: name})
		}
		return out
	}
	err := engine.Build(file, func(add func(engine.Table) error) error {
		for _, table := range []engine.Table{
			{Name: "customers", Columns: columns("id", "name", "code"), Rows: [][]any{{"1", "Ada", "007"}, {"2", "Bob", "1"}, {"3", nil, "2"}}},
			{Name: "orders", Columns: columns("customer", "price", "set"), Rows: [][]any{{"1", "9.5", "a"}, {"1", "20", "b"}, {"2", "1e3", "a"}}},
		} {
			if err := add(table); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return file
}

func open(t testing.TB, file string, change ...func(*engine.Setup)) *engine.Database {
	t.Helper()
	s := engine.Setup{File: file, Rows: 1000, Bytes: 64 << 10}
	for _, c := range change {
		c(&s)
	}
	db, err := engine.Open(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

func ask(db *engine.Database, statement string) string { return askFor(db, statement, time.Minute) }

func askFor(db *engine.Database, statement string, limit time.Duration) string {
	r, err := db.Query(context.Background(), statement, limit)
	if err != nil {
		return "error: " + err.Error()
	}
	raw, _ := json.Marshal(r.Rows) // JSON holds all values of rows
	if r.Cut != "" {
		return string(raw) + " cut by " + r.Cut
	}
	return string(raw)
}

// Statements that read give their rows; values keep their types.
func TestReads(t *testing.T) {
	db := open(t, shop(t))
	for statement, want := range map[string]string{
		"SELECT name, code FROM customers ORDER BY id":                                                           `[["Ada","007"],["Bob","1"],[null,"2"]]`,
		"select c.name, sum(o.price) from customers c join orders o on o.customer = c.id group by 1 order by 1;": `[["Ada",29.5],["Bob",1000]]`,
		`SELECT "set" FROM orders WHERE "set" = 'b' -- a comment`:                                                `[["b"]]`,
		"SELECT 9007199254740993, 1e999, -1e999, x'0102', NULL, 'a' || char(0)":                                  `[[9007199254740993,"Infinity","-Infinity","[blob of 2 bytes]",null,"a\u0000"]]`,
		"VALUES (1), (2)": `[[1],[2]]`,
		"WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n LIMIT 3) SELECT sum(x) FROM n": `[[6]]`,
		"SELECT name FROM customers WHERE name = 'DROP TABLE customers'":                               `[]`,
		"SELECT rank() OVER (ORDER BY price DESC) FROM orders LIMIT 1":                                 `[[1]]`,
		`SELECT json_extract('{"a": [1, 2]}', '$.a[1]')`:                                               `[[2]]`,
		"SELECT count(*) FROM sqlite_master":                                                           `[[2]]`,
		"SELECT value FROM json_each('[7]')":                                                           `[[7]]`,
		"EXPLAIN QUERY PLAN SELECT 1":                                                                  `[[1,0,0,"SCAN CONSTANT ROW"]]`,
	} {
		if got := ask(db, statement); got != want {
			t.Errorf("%s\n got %s\nwant %s", statement, got, want)
		}
	}
	r, err := db.Query(context.Background(), "SELECT id, price, price * 2 AS twice, name || '' AS n FROM customers JOIN orders ON customer = id", time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"integer", "real", "real", "text"}, r.Types); diff != "" {
		t.Error(diff)
	}
}

// Statements that write, reach beyond the database or are several are refused, and the file does not change.
func TestRefused(t *testing.T) {
	file := shop(t)
	before, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	db := open(t, file)
	for _, statement := range []string{
		"DELETE FROM orders", "UPDATE orders SET price = 0", "INSERT INTO orders VALUES (1, 2, 3) RETURNING *",
		"WITH x AS (SELECT 1) DELETE FROM orders", "REPLACE INTO customers VALUES (1, 'x', 'y')", "DROP TABLE orders",
		"CREATE TEMP TABLE z (x)", "CREATE VIEW v AS SELECT 1", "ALTER TABLE orders ADD COLUMN z", "BEGIN", "COMMIT",
		"SAVEPOINT a", "ANALYZE", "VACUUM", "VACUUM INTO '" + file + ".copy'", "ATTACH '" + file + ".new' AS n",
		"DETACH main", "PRAGMA query_only = 0", "PRAGMA table_info(orders)", "SELECT * FROM pragma_table_info('orders')",
		"CREATE VIRTUAL TABLE x USING csv(filename = '/etc/passwd')",
	} {
		if got := ask(db, statement); !strings.HasPrefix(got, "error: ") || !strings.Contains(got, "can only be read") {
			t.Errorf("%s: %s", statement, got)
		}
	}
	for statement, want := range map[string]string{
		"SELECT load_extension('x')":         "load_extension",
		"SELECT readfile('/etc/passwd')":     "no such function: readfile",
		"SELECT writefile('w', 'x')":         "no such function: writefile",
		"SELECT random()":                    "the function random is not available here",
		"SELECT sqlite_version()":            "the function sqlite_version is not available here",
		"SELECT * FROM sqlite_dbpage":        "sqlite_dbpage",
		"SELECT 1; SELECT 2":                 "one statement a call",
		"SELECT 1; nonsense":                 "one statement a call",
		"":                                   "there is no statement",
		"-- only a comment":                  "there is no statement",
		`SELECT "nosuch" FROM orders`:        "no such column: \"nosuch\"",
		"SELECT * FROM nosuch":               "no such table: nosuch",
		"SELEC 1":                            `near "SELEC": syntax error`,
		"SELECT length(zeroblob(500000000))": "too big",
		"SELECT abs(-9223372036854775808)":   "integer overflow",
		"SELECT " + strings.Repeat("abs(", 200) + "1" + strings.Repeat(")", 200): "maximum depth 100",
		"SELECT '" + strings.Repeat("x", 200_000) + "'":                          "too big",
	} {
		if got := ask(db, statement); !strings.HasPrefix(got, "error: ") || !strings.Contains(got, want) {
			t.Errorf("%.80s: %.200s, want %s", statement, got, want)
		}
	}
	after, err := os.ReadFile(file)
	if err != nil || string(after) != string(before) {
		t.Errorf("the file changed: %v", err)
	}
	names, err := filepath.Glob(filepath.Join(filepath.Dir(file), "*"))
	if err != nil || len(names) != 1 {
		t.Errorf("files beside the database: %v %v", names, err)
	}
}

// Statements without an end, or with huge results, end within their time, and the next statement is answered.
func TestHostile(t *testing.T) {
	const limit = 300 * time.Millisecond
	db := open(t, shop(t))
	const n = "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT "
	for _, statement := range []string{
		n + "sum(n) FROM r", n + "group_concat(n) FROM r", n + "json_group_array(n) FROM r",
		n + "count(DISTINCT hex(n) || hex(zeroblob(500))) FROM r", n + "max(n) FROM (SELECT n FROM r ORDER BY n DESC)",
		"SELECT instr(hex(zeroblob(524278)), hex(zeroblob(262139)) || '1')",
		"SELECT replace(hex(zeroblob(400000)), hex(zeroblob(100000)) || '1', 'x')",
		"SELECT trim(hex(zeroblob(500000)), hex(zeroblob(500000)) || '1')",
		"SELECT count(*) FROM orders a, orders b, orders c, orders d, orders e, orders f, orders g, orders h, orders i, orders j, orders k, " +
			"orders l, orders m, orders n, orders o, orders p, orders q, orders r, orders s, orders t",
	} {
		begin := time.Now()
		got := askFor(db, statement, limit)
		if took := time.Since(begin); took > time.Minute { // the limit and much of a busy machine
			t.Errorf("%.70s took %v", statement, took)
		}
		if !strings.HasPrefix(got, "error: the statement") && !strings.Contains(got, "too big") {
			t.Errorf("%.70s: %.100s", statement, got)
		}
	}
	later := open(t, shop(t))
	if got := ask(later, "SELECT count(*) FROM orders"); got != "[[3]]" {
		t.Error(got)
	}
}

// A result is cut at the limits of rows and bytes, and says so.
func TestCut(t *testing.T) {
	file := shop(t)
	few := open(t, file, func(s *engine.Setup) { s.Rows = 2 })
	if got, want := ask(few, "SELECT id FROM customers ORDER BY id"), "[[1],[2]] cut by rows"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	small := open(t, file, func(s *engine.Setup) { s.Bytes = 10 })
	if got, want := ask(small, "SELECT 'more than ten bytes'"), "error: the first row has more than 10 bytes"; !strings.HasPrefix(got, want) {
		t.Errorf("got %s, want %s", got, want)
	}
	if got, want := ask(small, "SELECT 'four' UNION ALL SELECT 'eight bytes'"), `[["four"]] cut by bytes`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// Only the allowed tables are shown and read, also through views; an unknown one is refused at the start.
func TestTables(t *testing.T) {
	file := shop(t)
	db := open(t, file, func(s *engine.Setup) { s.Tables = []string{"Orders"} })
	for statement, want := range map[string]string{
		"SELECT count(*) FROM orders":                                   "[[3]]",
		"SELECT n FROM (SELECT count(*) AS n FROM orders)":              "[[3]]",
		"WITH c AS (SELECT price FROM orders) SELECT max(price) FROM c": "[[1000]]",
		"SELECT * FROM customers":                                       "error: the table customers cannot be read: read Orders",
		"SELECT * FROM sqlite_master":                                   "error: the table sqlite_master cannot be read",
	} {
		if got := ask(db, statement); got != want {
			t.Errorf("%s: got %s, want %s", statement, got, want)
		}
	}
	tables, err := db.Schema(context.Background())
	if err != nil || len(tables) != 1 || tables[0].Name != "orders" {
		t.Errorf("%+v %v", tables, err)
	}
	_, err = engine.Open(context.Background(), engine.Setup{File: file, Tables: []string{"order"}, Rows: 1, Bytes: 1})
	if err == nil || !strings.Contains(err.Error(), `the database has no table "order": it has customers, orders`) {
		t.Error(err)
	}
}

// The schema has columns with types, and the first rows.
func TestSchema(t *testing.T) {
	tables, err := open(t, shop(t)).Schema(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	raw, _ := json.Marshal(tables) // JSON holds all values of rows
	want := `[{"name":"customers","columns":[{"name":"id","type":"integer"},{"name":"name","type":"text"},{"name":"code","type":"text"}],` +
		`"rows":[[1,"Ada","007"],[2,"Bob","1"],[3,null,"2"]]},` +
		`{"name":"orders","columns":[{"name":"customer","type":"integer"},{"name":"price","type":"real"},{"name":"set","type":"text"}],` +
		`"rows":[[1,9.5,"a"],[1,20,"b"],[2,1000,"a"]]}]`
	if diff := cmp.Diff(want, string(raw)); diff != "" {
		t.Error(diff)
	}
}

// Statements at the same time get their own results.
func TestAtOnce(t *testing.T) {
	db := open(t, shop(t))
	var all sync.WaitGroup
	for i := range 40 {
		all.Go(func() {
			if got, want := ask(db, fmt.Sprintf("SELECT %d + count(*) FROM orders", i)), fmt.Sprintf("[[%d]]", i+3); got != want {
				t.Errorf("got %s, want %s", got, want)
			}
		})
	}
	all.Wait()
}

// A file that is no database, damaged or gone is refused.
func TestBadFiles(t *testing.T) {
	dir := t.TempDir()
	good, err := os.ReadFile(shop(t))
	if err != nil {
		t.Fatal(err)
	}
	damaged := slices.Clone(good)
	for i := 100; i < 2000; i++ {
		damaged[i] = 0xff
	}
	for name, content := range map[string][]byte{"text.db": []byte("id,name\n1,Ada\n"), "damaged.db": damaged, "half.db": good[:len(good)/2]} {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, content, 0o600); err != nil {
			t.Fatal(err)
		}
		if db, err := engine.Open(context.Background(), engine.Setup{File: file, Rows: 1, Bytes: 1}); err == nil {
			t.Errorf("%s was opened", name)
			_ = db.Close()
		}
	}
	if _, err := engine.Open(context.Background(), engine.Setup{File: filepath.Join(dir, "none.db"), Rows: 1, Bytes: 1}); err == nil {
		t.Error("a missing file was opened")
	}
}
