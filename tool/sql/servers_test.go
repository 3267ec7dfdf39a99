package sql_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/ncruces/go-sqlite3"

	"github.com/seed-5817661a/concur/tool"
	"github.com/seed-5817661a/concur/tool/sql"
	"github.com/seed-5817661a/concur/tool/sql/sqltest"
)

// openServer opens the tool of a database on a server, and the tool that describes it.
func openServer(t testing.TB, address string) (query, schema tool.Tool, digest string) {
	t.Helper()
	environ := func(name string) string { return map[string]string{"SHOP_DSN": address}[name] }
	open := func(read tool.Reader, name string) tool.Tool {
		d, err := read(name, func(into any) error { return yamlOf("database: {env: SHOP_DSN}", into) })
		if err != nil {
			t.Fatal(err)
		}
		opened, of, err := d.(tool.NeedsEnviron).WithEnviron(environ).Open(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		digest = of
		t.Cleanup(func() { _ = opened.(interface{ Close() error }).Close() })
		return opened
	}
	return open(sql.Kind.Read, "shop"), open(sql.Kind.Second[sql.SchemaSuffix], "shop"+sql.SchemaSuffix), digest
}

// openSQLite opens the same content as an SQLite file.
func openSQLite(t testing.TB) tool.Tool {
	t.Helper()
	file := filepath.Join(t.TempDir(), "shop.db")
	c, err := sqlite3.Open("file:" + file)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(c.Exec(sqltest.Joined(sqltest.Shop)), c.Close()); err != nil {
		t.Fatal(err)
	}
	d, err := declare("database: " + file)
	if err != nil {
		t.Fatal(err)
	}
	opened, _, err := d.Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = opened.(interface{ Close() error }).Close() })
	return opened
}

// rowsOf returns the rows of a statement as text, with numbers by value: 29.50 and 29.5 are equal.
func rowsOf(t tool.Tool, statement string) string {
	raw, _ := json.Marshal(map[string]string{"statement": statement}) // encoding texts never fails
	out, err := t.Call(context.Background(), raw)
	if err != nil {
		return "error"
	}
	var text strings.Builder
	for _, row := range out.Object["rows"].([][]any) {
		for _, v := range row {
			if f, is := v.(float64); is {
				v = json.Number(fmt.Sprint(f))
			}
			if n, is := v.(json.Number); is {
				if value, isNumber := new(big.Float).SetString(n.String()); isNumber {
					v = value.Text('g', 15)
				}
			}
			fmt.Fprintf(&text, "%v|", v)
		}
		text.WriteString("\n")
	}
	return text.String()
}

// statements are statements that all servers and SQLite understand.
var statements = []string{
	"SELECT * FROM customers ORDER BY id", "SELECT * FROM orders WHERE day IS NOT NULL ORDER BY day", "SELECT count(*) FROM orders",
	"SELECT count(price) FROM orders", "SELECT sum(price) FROM orders", "SELECT avg(price) FROM orders",
	"SELECT min(price), max(price) FROM orders", "SELECT name FROM customers WHERE name IS NULL",
	"SELECT name FROM customers WHERE name LIKE 'A%'", "SELECT upper(name) FROM customers WHERE id < 3 ORDER BY 1",
	"SELECT name, count(*) FROM customers JOIN orders ON customer = id GROUP BY name ORDER BY name",
	"SELECT name, sum(price) AS s FROM customers JOIN orders ON customer = id GROUP BY name HAVING sum(price) > 1 ORDER BY s",
	"SELECT id FROM customers LEFT JOIN orders ON customer = id WHERE customer IS NULL",
	"SELECT id FROM customers WHERE id IN (SELECT customer FROM orders) ORDER BY id",
	"SELECT id FROM customers c WHERE EXISTS (SELECT 1 FROM orders WHERE customer = c.id AND price > 10) ORDER BY id",
	"WITH x AS (SELECT customer, sum(price) AS s FROM orders GROUP BY customer) SELECT max(s) FROM x",
	"WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 5) SELECT sum(x) FROM n",
	"SELECT id FROM customers UNION SELECT customer FROM orders ORDER BY 1", "SELECT id FROM customers EXCEPT SELECT customer FROM orders",
	"SELECT customer FROM orders INTERSECT SELECT id FROM customers ORDER BY 1", "SELECT DISTINCT customer FROM orders ORDER BY customer",
	"SELECT customer, price, rank() OVER (PARTITION BY customer ORDER BY price) FROM orders WHERE price IS NOT NULL ORDER BY customer, price",
	"SELECT id, lag(id) OVER (ORDER BY id) FROM customers ORDER BY id", "SELECT coalesce(name, 'nobody') FROM customers ORDER BY id",
	"SELECT CASE WHEN price > 10 THEN 'much' ELSE 'little' END FROM orders WHERE price IS NOT NULL ORDER BY price",
	"SELECT 7 % 3, 2 + 3 * 4, -5, abs(-2.5)", "SELECT 9007199254740993 + 0, 9223372036854775807", "SELECT NULL, '', 'NULL'",
	"SELECT length(name) FROM customers WHERE id = 4", "SELECT trim('  a ') , replace('abc', 'b', 'x')",
	"SELECT round(price) FROM orders WHERE customer = 2 AND price IS NOT NULL", "SELECT id FROM customers ORDER BY id DESC LIMIT 2 OFFSET 1",
	"SELECT substr(day, 1, 7) AS month, count(*) FROM orders WHERE day IS NOT NULL GROUP BY substr(day, 1, 7) ORDER BY 1",
	"SELECT a.id, b.id FROM customers a JOIN customers b ON a.id < b.id WHERE a.id = 1 ORDER BY 2",
	"SELECT code FROM customers WHERE code = '007'", "SELECT nullif(id, 1) FROM customers ORDER BY id",
	"SELECT nosuch FROM orders", "SELECT * FROM nosuch", "SELEC 1", "DELETE FROM orders", "DROP TABLE orders", "",
}

// The tool gives the same rows for the same content, in a file and on a server.
func TestPostgresEqualsSQLite(t *testing.T) {
	p := sqltest.StartPostgres(t, os.Getenv(sqltest.Programs))
	query, schema, digest := openServer(t, p.Address("reader"))
	equalsSQLite(t, query, statements)
	place := fmt.Sprintf("127.0.0.1:%d/shop", p.Port)
	if want := "sql/v1 postgresql/v1 " + place; digest != want {
		t.Errorf("digest %q, want %q", digest, want)
	}
	for _, opened := range []tool.Tool{query, schema} {
		if got := opened.(tool.Warner).Warning(); !strings.Contains(got, place) || strings.Contains(got, "reader") {
			t.Error(got)
		}
	}
	out, err := schema.Call(t.Context(), json.RawMessage(`{}`))
	if err != nil || out.Object["dialect"] != "PostgreSQL" {
		t.Error(out.Object, err)
	}
	p.Kill()
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) { // the server's processes end one by one
		_, err = query.Call(t.Context(), json.RawMessage(`{"statement": "SELECT 1"}`))
		if err != nil || time.Now().After(deadline) {
			break
		}
	}
	failed, is := errors.AsType[*tool.BackendError](err)
	if !is || failed.Kind != "upstream" || !strings.Contains(err.Error(), place) || strings.Contains(err.Error(), "reader") {
		t.Errorf("a server that is gone: %v", err)
	}
}

// length counts characters in SQLite and PostgreSQL, but bytes in MySQL.
func TestMariaDBEqualsSQLite(t *testing.T) {
	m := sqltest.StartMariaDB(t, os.Getenv(sqltest.Programs))
	query, schema, digest := openServer(t, m.Address("reader"))
	equalsSQLite(t, query, slices.DeleteFunc(slices.Clone(statements), func(s string) bool { return strings.Contains(s, "length(") }))
	if want := fmt.Sprintf("sql/v1 mysql/v1 127.0.0.1:%d/shop", m.Port); digest != want {
		t.Errorf("digest %q, want %q", digest, want)
	}
	out, err := schema.Call(t.Context(), json.RawMessage(`{}`))
	if err != nil || out.Object["dialect"] != "MySQL" {
		t.Error(out.Object, err)
	}
}

func equalsSQLite(t *testing.T, server tool.Tool, statements []string) {
	t.Helper()
	file := openSQLite(t)
	rows := 0
	for _, s := range statements {
		want, got := rowsOf(file, s), rowsOf(server, s)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-SQLite +server):\n%s", s, diff)
		}
		if want != "error" {
			rows++
		}
	}
	if rows < 30 {
		t.Errorf("only %d statements have rows", rows)
	}
}

// Probe says what a role may change, and leaves out the login.
func TestProbe(t *testing.T) {
	p := sqltest.StartPostgres(t, os.Getenv(sqltest.Programs))
	d, err := declare("database: {env: SHOP_DSN}")
	if err != nil {
		t.Fatal(err)
	}
	server := d.(sql.Server)
	if server.Variable() != "SHOP_DSN" {
		t.Error(server.Variable())
	}
	for role, want := range map[string]string{"reader": "", "writer": "it may change the table orders"} {
		access, err := server.Probe(t.Context(), func(string) string { return p.Address(role) })
		if err != nil || !strings.HasPrefix(access.Version, "PostgreSQL ") || !strings.HasSuffix(access.Place, "/shop") ||
			strings.Join(access.Rights, ", ") != want {
			t.Errorf("%s: %+v %v", role, access, err)
		}
	}
	if _, err := server.Probe(t.Context(), func(string) string { return "" }); err == nil || !strings.Contains(err.Error(), "not set") {
		t.Error(err)
	}
}
