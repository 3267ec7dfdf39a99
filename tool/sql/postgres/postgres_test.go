package postgres_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/tool/sql/postgres"
	"github.com/seed-5817661a/concur/tool/sql/server"
	"github.com/seed-5817661a/concur/tool/sql/sqltest"
)

func Example() {
	db, err := postgres.Driver.Open("postgres://reader:a-password@db.example.org/shop", server.Limits{Rows: 10, Bytes: 1000})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(db.Place())
	// Output: db.example.org:5432/shop
}

func open(t testing.TB, address string, limits server.Limits) server.Server {
	t.Helper()
	return sqltest.Open(t, postgres.Driver, address, limits)
}

var usual = server.Limits{Rows: 1000, Bytes: 64 << 10}

const long = time.Minute

// TestServer starts one server for all its parts.
func TestServer(t *testing.T) {
	p := sqltest.StartPostgres(t, os.Getenv(sqltest.Programs))
	for name, test := range map[string]func(*testing.T, sqltest.Postgres){
		"values": testValues, "refused": testRefused, "hostile": testHostile, "cut": testCut, "schema": testSchema,
		"rights": testRights, "session": testSession, "superuser": testSuperuser, "login": testLogin, "at once": testAtOnce,
		"crowded": testCrowded,
	} {
		t.Run(name, func(t *testing.T) { test(t, p) })
	}
	t.Run("death", func(t *testing.T) { testDeath(t, p) }) // the last one
}

// A server that lets the role have two connections answers thirty statements of three databases all the same.
func testCrowded(t *testing.T, p sqltest.Postgres) {
	p.Run(t, "CREATE ROLE crowded LOGIN PASSWORD 'crowded-password' CONNECTION LIMIT 2")
	var wait sync.WaitGroup
	for range 3 {
		db := open(t, p.Address("crowded"), usual)
		for range 10 {
			wait.Go(func() {
				if got := sqltest.Ask(db, "SELECT 1", long); got != "[[1]]" {
					t.Error(got)
				}
			})
		}
	}
	wait.Wait()
}

// Values keep their types and all their digits.
func testValues(t *testing.T, p sqltest.Postgres) {
	db := open(t, p.Address("reader"), usual)
	for statement, want := range map[string]string{
		"SELECT name, code FROM customers ORDER BY id":                                   `[["Ada","007"],["Bob","1"],[null,"2"],["Zoë",null]]`,
		"SELECT 9007199254740993, 9223372036854775807::bigint, 2::smallint":              `[[9007199254740993,9223372036854775807,2]]`,
		"SELECT 123456789012345678901234567890.123456789":                                `[[123456789012345678901234567890.123456789]]`,
		"SELECT 'NaN'::numeric, 'NaN'::float8, 'Infinity'::float8":                       `[["NaN","NaN","Infinity"]]`,
		"SELECT '-Infinity'::float4, 0.1::float8 + 0.2, 1e20::float8, 0.1::real":         `[["-Infinity",0.30000000000000004,1e+20,0.1]]`,
		"SELECT 'a\\000b'::bytea, ''::bytea, NULL::bytea, NULL, '', true":                `[["[blob of 3 bytes]","[blob of 0 bytes]",null,null,"",true]]`,
		"SELECT date '2026-02-01', timestamptz '2026-02-01 03:04:05.5+02'":               `[["2026-02-01","2026-02-01 01:04:05.5+00"]]`,
		"SELECT interval '1 day 2 hours', time '10:00', ARRAY[1,2], '{\"a\": 1}'::jsonb": `[["1 day 02:00:00","10:00:00","{1,2}","{\"a\": 1}"]]`,
		"VALUES (1), (2);": `[[1],[2]]`,
		"WITH x AS (SELECT 1 AS n) SELECT n FROM x -- end": `[[1]]`,
		"TABLE orders LIMIT 1":                             `[[1,9.5,"2026-01-02"]]`,
		"SELECT 1 WHERE false":                             `[]`,
		"SELECT":                                           `[[]]`,
	} {
		if got := sqltest.Ask(db, statement, long); got != want {
			t.Errorf("%s: got %s, want %s", statement, got, want)
		}
	}
	p.RunIn(t, "shop", "CREATE TYPE mood AS ENUM ('happy')")
	r, err := db.Query(t.Context(), "SELECT 1, 1.5, 1.5::float8, 'a'::text, 'happy'::mood AS m, ARRAY['happy'::mood]", long)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"integer", "numeric", "double precision", "text", "mood", "mood[]"}, r.Types); diff != "" {
		t.Error(diff)
	}
	if r.Columns[4] != "m" {
		t.Error(r.Columns)
	}
}

// What does not read is refused by PostgreSQL itself, and is the statement's error.
func testRefused(t *testing.T, p sqltest.Postgres) {
	p.RunIn(t, "shop", "CREATE SEQUENCE numbers", "GRANT USAGE ON SEQUENCE numbers TO writer",
		"CREATE FUNCTION change() RETURNS int LANGUAGE sql AS 'INSERT INTO orders VALUES (1, 1, NULL); SELECT 1'")
	db := open(t, p.Address("writer"), usual)
	for statement, want := range map[string]string{
		"SELECT 1; SELECT 2":                     "multiple commands",
		"SELECT 1; DROP TABLE orders":            "multiple commands",
		"SET statement_timeout = 0":              "syntax error",
		"SET TRANSACTION READ WRITE":             "syntax error",
		"BEGIN":                                  "syntax error",
		"COMMIT":                                 "syntax error",
		"ROLLBACK":                               "syntax error",
		"DO $$ BEGIN PERFORM 1; END $$":          "syntax error",
		"CALL x()":                               "syntax error",
		"COPY orders TO PROGRAM 'cat > /tmp/x'":  "syntax error",
		"COPY orders TO STDOUT":                  "syntax error",
		"COPY orders FROM STDIN":                 "syntax error",
		"PREPARE x AS SELECT 1":                  "syntax error",
		"LISTEN x":                               "syntax error",
		"LOCK TABLE orders":                      "syntax error",
		"EXPLAIN ANALYZE DELETE FROM orders":     "syntax error",
		"INSERT INTO orders VALUES (1, 2, NULL)": "syntax error",
		"DROP TABLE orders":                      "syntax error",
		"WITH x AS (DELETE FROM orders RETURNING 1) SELECT * FROM x": "data-modifying statements in WITH",
		"SELECT 1 INTO TEMP z":               "INTO",
		"SELECT * FROM customers FOR UPDATE": "read-only transaction",
		"SELECT * FROM orders FOR SHARE":     "read-only transaction",
		"SELECT nextval('numbers')":          "read-only transaction",
		"SELECT change()":                    "read-only transaction",
		"SELECT set_config('transaction_read_only', 'off', false), nextval('numbers')": "read-write mode",
		"SELECT pg_read_file('/etc/passwd')":                                           "permission denied",
		"SELECT lo_export(1, '/tmp/x')":                                                "permission denied",
		"SELECT lo_import('/etc/passwd')":                                              "permission denied",
		"SELECT * FROM dblink('dbname=shop', 'SELECT 1')":                              "dblink",
		"SELECT pg_reload_conf()":                                                      "permission denied",
		"SELECT rolpassword FROM pg_authid":                                            "permission denied",
		"SELECT $1":                                                                    "parameter",
		"SELECT nosuch FROM orders":                                                    `column "nosuch" does not exist`,
		"SELECT nam FROM customers":                                                    `hint: Perhaps you meant to reference the column "customers.name"`,
		"SELEC 1":                                                                      `syntax error at or near "SELEC"`,
		"SELECT 1 / 0":                                                                 "division by zero",
		"-- nothing":                                                                   "syntax error at end of input",
		"SELECT '\x00'":                                                                "the statement has a NUL byte",
		"SELECT '\xff'":                                                                "invalid byte sequence",
		"SELECT " + strings.Repeat("(", 100_000) + "1":                                 "memory exhausted",
	} {
		if got := sqltest.Ask(db, statement, long); !strings.HasPrefix(got, "error: ") || !strings.Contains(got, want) {
			t.Errorf("%.80s: %.300s, want %s", statement, got, want)
		}
	}
	if got := p.Value(t, "SELECT count(*) FROM orders"); got != "5" {
		t.Errorf("orders has %s rows, had 5", got)
	}
	if got := sqltest.Ask(db, "SELECT 1", long); got != "[[1]]" {
		t.Error(got)
	}
}

// Statements that take long or return much end in their time, also on the server.
func testHostile(t *testing.T, p sqltest.Postgres) {
	const limit = 300 * time.Millisecond
	db := open(t, p.Address("reader"), usual)
	for _, statement := range []string{
		"SELECT pg_sleep(1000)", "SELECT count(*) FROM generate_series(1, 1000000000000)",
		"WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT sum(n) FROM r",
		"SELECT set_config('statement_timeout', '0', false), pg_sleep(1000)",
		"SELECT count(*) FROM generate_series(1, 100000) a, generate_series(1, 100000) b, generate_series(1, 100000) c",
	} {
		if got := sqltest.Ask(db, statement, limit); !strings.HasPrefix(got, "error: the statement took longer than 300ms") {
			t.Errorf("%s: %.200s", statement, got)
		}
	}
	if got := sqltest.Ask(db, "SELECT repeat(repeat('x', 1000), 20000)", long); !strings.Contains(got, "error: a row has 200000") {
		t.Errorf("%.200s", got)
	}
	if got := sqltest.Ask(db, "SELECT repeat(repeat('x', 1000), 1000) FROM generate_series(1, 1000)", long); !strings.HasPrefix(got, "error: the first row has more") {
		t.Errorf("%.200s", got)
	}
	wide := "SELECT 1" + strings.Repeat(", 1", 1599)
	if got := sqltest.Ask(db, wide, long); len(got) != len("[[]]")+1600*2-1 {
		t.Errorf("1,600 columns: %.200s", got)
	}
	if got := sqltest.Ask(db, wide+strings.Repeat(", 1", 400), long); !strings.HasPrefix(got, "error: target lists can have at most 1664") {
		t.Errorf("2,000 columns: %.200s", got)
	}
	waitFor(t, "statements still run", func() bool { return running(t, p) == "0" })
	// The caller's end cancels the statement on the server, too.
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { _, err := db.Query(ctx, "SELECT pg_sleep(1000)", 10*long); ended <- err }()
	waitFor(t, "the statement does not run", func() bool { return running(t, p) == "1" })
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	waitFor(t, "a cancelled statement still runs", func() bool { return running(t, p) == "0" })
}

func running(t *testing.T, p sqltest.Postgres) string {
	return p.Value(t, "SELECT count(*) FROM pg_stat_activity WHERE usename = 'reader' AND state = 'active'")
}

func waitFor(t *testing.T, wrong string, is func() bool) {
	t.Helper()
	for deadline := time.Now().Add(long); !is(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal(wrong)
		}
	}
}

// A result is cut at the limits.
func testCut(t *testing.T, p sqltest.Postgres) {
	few := open(t, p.Address("reader"), server.Limits{Rows: 2, Bytes: 1000})
	for statement, want := range map[string]string{
		"SELECT id FROM customers ORDER BY id":                             "[[1],[2]] cut by rows",
		"SELECT id FROM customers ORDER BY id LIMIT 2":                     "[[1],[2]]",
		"SELECT n FROM generate_series(1, 1000000) n":                      "[[1],[2]] cut by rows",
		"SELECT repeat('x', 600) FROM customers":                           `[["` + strings.Repeat("x", 600) + `"]] cut by bytes`,
		"SELECT repeat('x', 1001)":                                         "error: the first row has more than 1000 bytes: select fewer columns, or parts of them by substring()",
		"SELECT 'still answered', count(*) FROM customers WHERE id > 1000": `[["still answered",0]]`,
	} {
		if got := sqltest.Ask(few, statement, long); got != want {
			t.Errorf("%s: got %s, want %s", statement, got, want)
		}
	}
}

// The schema has what the role may read: columns, keys, links and first rows.
func testSchema(t *testing.T, p sqltest.Postgres) {
	p.RunIn(t, "shop", "CREATE TABLE secrets (x int)", "CREATE SCHEMA other", "GRANT USAGE ON SCHEMA other TO reader",
		`CREATE VIEW other."Odd ""name" AS SELECT id AS "Id", pg_sleep(1000)::text AS n FROM customers`, `GRANT SELECT ON other."Odd ""name" TO reader`)
	defer p.RunIn(t, "shop", "DROP SCHEMA other CASCADE", "DROP TABLE secrets")
	s, err := open(t, p.Address("reader"), usual).Schema(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	raw, _ := json.Marshal(s.Tables) // JSON holds all values of rows
	want := `[{"name":"other.Odd \"name","view":true,"columns":[{"name":"Id","type":"integer"},{"name":"n","type":"text"}],"rows":[]},` +
		`{"name":"customers","columns":[{"name":"id","type":"integer","key":true},{"name":"name","type":"character varying(40)"},` +
		`{"name":"code","type":"character varying(10)"}],"rows":[[1,"Ada","007"],[2,"Bob","1"],[3,null,"2"]]},` +
		`{"name":"orders","columns":[{"name":"customer","type":"integer"},{"name":"price","type":"double precision"},` +
		`{"name":"day","type":"character varying(10)"}],"links":["customer → customers.id"],` +
		`"rows":[[1,9.5,"2026-01-02"],[1,20,"2026-01-03"],[2,1000,"2026-02-01"]]}]`
	if diff := cmp.Diff(want, string(raw)); diff != "" || s.Dialect != "PostgreSQL" || s.More != 0 {
		t.Error(diff, s.Dialect, s.More)
	}
}

// Rights finds what a role may change.
func testRights(t *testing.T, p sqltest.Postgres) {
	p.RunIn(t, "shop", "CREATE ROLE columns LOGIN PASSWORD 'columns-password'", "GRANT UPDATE (price) ON orders TO columns",
		"CREATE ROLE all_data LOGIN PASSWORD 'all_data-password'", "GRANT pg_write_all_data TO all_data",
		"CREATE ROLE maker LOGIN PASSWORD 'maker-password'", "GRANT CREATE ON SCHEMA public TO maker")
	for role, want := range map[string]string{
		"reader": "", "writer": "it may change the table orders", "admin": "it is a superuser",
		"columns": "it may change the table orders", "all_data": "it has the role pg_write_all_data",
		"maker": "it may make tables in the schema public",
	} {
		rights, err := open(t, p.Address(role), usual).Rights(t.Context())
		if err != nil || want == "" != (len(rights) == 0) || want != "" && rights[0] != want {
			t.Errorf("%s: %q %v, want %s", role, rights, err, want)
		}
	}
}

// A statement leaves nothing in the session that the next one could see.
func testSession(t *testing.T, p sqltest.Postgres) {
	db := open(t, p.Address("reader"), usual)
	for _, pair := range [][2]string{
		{"SELECT pg_advisory_lock(7)", "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'"},
		{"SELECT set_config('my.word', 'left', false)", "SELECT count(*) FROM (SELECT current_setting('my.word', true) AS w) x WHERE w = 'left'"},
		{"SELECT set_config('search_path', 'nowhere', false)", "SELECT count(*) - 4 FROM customers"},
		{"SELECT setseed(0.5)", "SELECT 0 FROM orders LIMIT 1"},
	} {
		if got := sqltest.Ask(db, pair[0], long); strings.HasPrefix(got, "error") {
			t.Errorf("%s: %s", pair[0], got)
		}
		if got := sqltest.Ask(db, pair[1], long); got != "[[0]]" {
			t.Errorf("after %s: %s", pair[0], got)
		}
	}
}

// These are not stopped, as the documentation says: the boundary is the role.
func testSuperuser(t *testing.T, p sqltest.Postgres) {
	db := open(t, p.Address("admin"), usual)
	file := filepath.Join(filepath.Dir(p.Log), "exported")
	p.RunIn(t, "shop", "SELECT lo_from_bytea(4711, 'x')")
	if got := sqltest.Ask(db, "SELECT lo_export(4711, '"+file+"')", long); got != "[[1]]" {
		t.Skipf("this server stops lo_export: %s", got) // from PostgreSQL 16
	}
	if _, err := os.Stat(file); err != nil {
		t.Errorf("the documentation says that a superuser can write files: %v", err)
	}
	own := sqltest.Ask(open(t, p.Address("reader"), usual), "SELECT pg_terminate_backend(pg_backend_pid())", long)
	if !strings.HasPrefix(own, "lost: ") || !strings.Contains(own, "terminating connection") {
		t.Errorf("a statement that ends its own connection: %s", own)
	}
}

// A refused login, another database, a host without a server and an unknown host are failures of the server; no
// error has the password.
func testLogin(t *testing.T, p sqltest.Postgres) {
	place := fmt.Sprintf("127.0.0.1:%d/", p.Port)
	for address, want := range map[string]string{
		p.AddressOf("postgres", "reader:hunter22-wrong", "shop"): place + `shop: password authentication failed for user "reader"`,
		p.AddressOf("postgres", "reader:hunter22-wrong", "none"): place + `none: password authentication failed`,
		p.AddressOf("postgres", "reader:reader-password", "no"):  place + `no: database "no" does not exist`,
		"postgres://reader:hunter22-wrong@127.0.0.1:1/shop":      "127.0.0.1:1/shop: ",
		"postgres://reader:hunter22-wrong@no.invalid/shop":       "no.invalid:5432/shop: ",
	} {
		db := open(t, address, usual)
		_, greeting := db.Greet(t.Context())
		_, query := db.Query(t.Context(), "SELECT 1", long)
		for _, err := range []error{greeting, query} {
			lost, is := errors.AsType[*server.LostError](err)
			if !is || !strings.HasPrefix(err.Error(), want) || strings.Contains(err.Error(), "hunter22") || lost.Kind == "" {
				t.Errorf("%v, want %s", err, want)
			}
		}
	}
	for _, address := range []string{"postgres://reader:hunter22-wrong@host:port/x", "postgres://%zz:hunter22-wrong@h/", "postgres://u:hunter22-wrong@h/x?sslmode=no"} {
		_, err := postgres.Driver.Open(address, usual)
		if err == nil || strings.Contains(err.Error(), "hunter22") {
			t.Errorf("%s: %v", address, err)
		}
	}
	if version, err := open(t, p.Address("reader"), usual).Greet(t.Context()); err != nil || !strings.HasPrefix(version, "PostgreSQL 1") {
		t.Error(version, err)
	}
}

// Statements at the same time get their own results.
func testAtOnce(t *testing.T, p sqltest.Postgres) {
	db := open(t, p.Address("reader"), usual)
	var all sync.WaitGroup
	for i := range 60 {
		all.Go(func() {
			if got, want := sqltest.Ask(db, fmt.Sprintf("SELECT %d + count(*) FROM orders", i), long), fmt.Sprintf("[[%d]]", i+5); got != want {
				t.Errorf("got %s, want %s", got, want)
			}
		})
	}
	all.Wait()
}

// A connection that the server closed while it waited is replaced; a server that dies is infra, never the agent's.
func testDeath(t *testing.T, p sqltest.Postgres) {
	db := open(t, p.Address("reader"), usual)
	if got := sqltest.Ask(db, "SELECT 1", long); got != "[[1]]" {
		t.Fatal(got)
	}
	p.Run(t, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'reader'")
	if got := sqltest.Ask(db, "SELECT 2", long); got != "[[2]]" {
		t.Error(got)
	}
	ended := make(chan string)
	go func() { ended <- sqltest.Ask(db, "SELECT pg_sleep(1000)", 10*long) }()
	waitFor(t, "the statement does not run", func() bool { return running(t, p) == "1" })
	p.Kill()
	if got := <-ended; !strings.HasPrefix(got, fmt.Sprintf("lost: 127.0.0.1:%d/shop: ", p.Port)) {
		t.Error(got)
	}
	waitFor(t, "the server still answers", func() bool { return strings.HasPrefix(sqltest.Ask(db, "SELECT 1", long), "lost: ") })
}
