package mysql_test

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

	"github.com/seed-5817661a/concur/tool/sql/mysql"
	"github.com/seed-5817661a/concur/tool/sql/server"
	"github.com/seed-5817661a/concur/tool/sql/sqltest"
)

func Example() {
	db, err := mysql.Driver.Open("mysql://reader:a-password@db.example.org/shop", server.Limits{Rows: 10, Bytes: 1000})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(db.Place())
	// Output: db.example.org:3306/shop
}

func open(t testing.TB, address string, limits server.Limits) server.Server {
	t.Helper()
	return sqltest.Open(t, mysql.Driver, address, limits)
}

var usual = server.Limits{Rows: 1000, Bytes: 64 << 10}

const long = time.Minute

// Addresses are read strictly, and no error has the password.
func TestAddress(t *testing.T) {
	for address, want := range map[string]string{
		"mysql://u:hunter22-wrong@h/db":                        "h:3306/db",
		"mariadb://u:hunter22-wrong@H:3307/db?tls=true":        "h:3307/db",
		"mysql://u:hunter22-wrong@/db?socket=/run/mysqld.sock": "/run/mysqld.sock/db",
		"mysql://u:hunter22-wrong@[::1]/db":                    "[::1]:3306/db",
		"mysql://u:hunter22-wrong@h":                           "error: the address cannot be read",
		"mysql://u:hunter22-wrong@h:port/db":                   "error: the address cannot be read",
		"mysql:///db":                                          "error: the address cannot be read",
		"mysql://u:hunter22-wrong@h/db?multiStatements=true":   "error: the address has an unknown parameter",
		"mysql://u:hunter22-wrong@h/db?allowAllFiles=true":     "error: the address has an unknown parameter",
		"mysql://u:hunter22-wrong@h/db?tls=hunter22-wrong":     "error: the address has an unknown parameter",
		"mysql://u:hunter22-wrong%zz@h/db":                     "error: the address cannot be read",
	} {
		db, err := mysql.Driver.Open(address, usual)
		got := ""
		if err != nil {
			got = "error: " + err.Error()
		} else {
			got = db.Place().String()
		}
		if !strings.HasPrefix(got, want) || strings.Contains(got, "hunter22") {
			t.Errorf("%s: got %s, want %s", address, got, want)
		}
	}
}

// TestServer starts one server for all its parts.
func TestServer(t *testing.T) {
	m := sqltest.StartMariaDB(t, os.Getenv(sqltest.Programs))
	for name, test := range map[string]func(*testing.T, sqltest.MariaDB){
		"values": testValues, "refused": testRefused, "hostile": testHostile, "cut": testCut, "schema": testSchema,
		"rights": testRights, "session": testSession, "files": testFiles, "login": testLogin, "at once": testAtOnce,
	} {
		t.Run(name, func(t *testing.T) { test(t, m) })
	}
	t.Run("death", func(t *testing.T) { testDeath(t, m) }) // the last one
}

// Values keep their types and all their digits.
func testValues(t *testing.T, m sqltest.MariaDB) {
	m.RunIn(t, "shop", "CREATE TABLE kinds (f FLOAT, d DOUBLE, n DECIMAL(40,10), u BIGINT UNSIGNED, b BLOB, t TEXT, v VARBINARY(4), "+
		"day DATE, at TIMESTAMP(2) NULL, e ENUM('x', 'y'), bits BIT(4), ok BOOLEAN, y YEAR, h TIME)",
		"SET time_zone = '+02:00'",
		"INSERT INTO kinds VALUES (0.1, 0.1e0 + 0.2e0, 123456789012345678901234567890.5, 18446744073709551615, x'00ff', 'a', 'b', "+
			"'2026-02-01', NULL, 'y', b'101', TRUE, 2026, '-10:00:00')")
	defer m.RunIn(t, "shop", "DROP TABLE kinds")
	db := open(t, m.Address("reader"), usual)
	for statement, want := range map[string]string{
		"SELECT name, code FROM customers ORDER BY id":      `[["Ada","007"],["Bob","1"],[null,"2"],["Zoë",null]]`,
		"SELECT 9007199254740993, 9223372036854775807, -1":  `[[9007199254740993,9223372036854775807,-1]]`,
		"SELECT f, d, n, u, b, t, v FROM kinds":             `[[0.1,0.30000000000000004,123456789012345678901234567890.5000000000,18446744073709551615,"[blob of 2 bytes]","a","[blob of 1 bytes]"]]`,
		"SELECT day, at, e, bits, ok, y, h FROM kinds":      `[["2026-02-01",null,"y","[blob of 1 bytes]",1,2026,"-10:00:00"]]`,
		"SELECT FROM_UNIXTIME(0), NULL, ''":                 `[["1970-01-01 00:00:00",null,""]]`,
		"(SELECT 1) UNION ALL (SELECT 2) ORDER BY 1 DESC; ": `[[2],[1]]`,
		"WITH x AS (SELECT 1 AS n) SELECT n FROM x -- end":  `[[1]]`,
		"SELECT 1 # end": `[[1]]`,
		"SELECT id, id FROM customers WHERE id = 1": `[[1,1]]`,
		"SELECT 1 FROM customers WHERE FALSE":       `[]`,
		"SELECT id FROM customers ORDER BY id DESC": `[[4],[3],[2],[1]]`,
	} {
		if got := sqltest.Ask(db, statement, long); got != want {
			t.Errorf("%s: got %s, want %s", statement, got, want)
		}
	}
	r, err := db.Query(t.Context(), "SELECT f, d, n AS number, u, b, t FROM kinds", long)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"float", "double", "decimal", "unsigned bigint", "blob", "text"}, r.Types); diff != "" || r.Columns[2] != "number" {
		t.Error(diff, r.Columns)
	}
}

// What does not read is refused by the server itself, and is the statement's error.
func testRefused(t *testing.T, m sqltest.MariaDB) {
	m.RunIn(t, "shop", "CREATE SEQUENCE numbers", "GRANT INSERT ON shop.numbers TO writer", "GRANT FILE ON *.* TO writer",
		"CREATE FUNCTION change_orders() RETURNS INT MODIFIES SQL DATA BEGIN INSERT INTO orders VALUES (1, 1, NULL); RETURN 1; END",
		"GRANT EXECUTE ON FUNCTION shop.change_orders TO writer")
	db := open(t, m.Address("writer"), usual)
	file := filepath.Join(filepath.Dir(m.Log), "outfile")
	const syntax = "error in your SQL syntax"
	for statement, want := range map[string]string{
		"SELECT 1; SELECT 2":                       syntax,
		"SELECT 1; DROP TABLE orders":              syntax,
		"SELECT 1) ; DROP TABLE orders; SELECT (1": syntax,
		"SELECT 1), (SELECT 2":                     syntax,
		"SELECT 1 /*":                              syntax,
		"SET max_statement_time = 0":               syntax,
		"SET TRANSACTION READ WRITE":               syntax,
		"BEGIN":                                    syntax,
		"COMMIT":                                   syntax,
		"CALL x()":                                 syntax,
		"DO SLEEP(1)":                              syntax,
		"LOCK TABLES orders WRITE":                 syntax,
		"PREPARE x FROM 'SELECT 1'":                syntax,
		"KILL 1":                                   syntax,
		"BEGIN NOT ATOMIC SELECT 1; END":           syntax,
		"EXPLAIN DELETE FROM orders":               syntax,
		"INSERT INTO orders VALUES (1, 2, NULL)":   syntax,
		"INSERT INTO orders VALUES (1, 2, NULL) RETURNING 1": syntax,
		"DROP TABLE orders": syntax,
		"LOAD DATA INFILE '/etc/passwd' INTO TABLE orders":     syntax,
		"SELECT 1 INTO OUTFILE '" + file + "'":                 syntax,
		"(SELECT 1 INTO OUTFILE '" + file + "')":               syntax,
		"SELECT 1 UNION SELECT 2 INTO DUMPFILE '" + file + "'": syntax,
		"SELECT 1 INTO @a":          syntax,
		"SELECT NEXTVAL(numbers)":   "READ ONLY transaction",
		"SELECT change_orders()":    "READ ONLY transaction",
		"SELECT * FROM mysql.user":  "denied",
		"SELECT ?":                  syntax,
		"SELECT nosuch FROM orders": "Unknown column 'nosuch'",
		"SELECT * FROM nosuch":      "doesn't exist",
		"SELEC 1":                   syntax,
		"-- nothing":                syntax,
		"SELECT '\x00'":             "NUL",
	} {
		if got := sqltest.Ask(db, statement, long); !strings.HasPrefix(got, "error: ") || !strings.Contains(got, want) {
			t.Errorf("%.80s: %.300s, want %s", statement, got, want)
		}
	}
	if got := m.Value(t, "SELECT count(*) FROM orders"); got != "5" {
		t.Errorf("orders has %s rows, had 5", got)
	}
	if _, err := os.Stat(file); err == nil {
		t.Error("a statement wrote a file")
	}
}

// Statements that take long or return much end in their time, also on the server.
func testHostile(t *testing.T, m sqltest.MariaDB) {
	const limit = 300 * time.Millisecond
	db := open(t, m.Address("reader"), usual)
	const many = "(SELECT 1 AS n UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 4)"
	join := "SELECT count(*) FROM " + many + " t0"
	for i := range 25 {
		join += fmt.Sprintf(", %s t%d", many, i+1)
	}
	for _, statement := range []string{
		"SELECT SLEEP(1000)", "SELECT BENCHMARK(1000000000000, MD5('x'))", join,
		"WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r) SELECT sum(r.n) FROM r, r AS s, r AS u, r AS v",
	} {
		if got := sqltest.Ask(db, statement, limit); !strings.HasPrefix(got, "error: the statement took longer than 300ms") {
			t.Errorf("%.80s: %.200s", statement, got)
		}
	}
	m.RunIn(t, "shop", "CREATE TABLE large (b LONGTEXT)", "INSERT INTO large VALUES (REPEAT('x', 12000000))")
	if got := sqltest.Ask(db, "SELECT b FROM large", long); !strings.HasPrefix(got, "error: a row has more than 8388608 bytes") {
		t.Errorf("%.200s", got)
	}
	if got := sqltest.Ask(db, "SELECT REPEAT('x', 1000000), seq FROM seq_1_to_1000", long); !strings.HasPrefix(got, "error: the first row has more") {
		t.Errorf("%.200s", got)
	}
	wide := "SELECT 1" + strings.Repeat(", 1", 1999)
	if got := sqltest.Ask(db, wide, long); len(got) != len("[[]]")+2000*2-1 {
		t.Errorf("2,000 columns: %.200s", got)
	}
	waitFor(t, "statements still run", func() bool { return running(t, m) == "0" })
	// The caller's end cancels the statement on the server, too.
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { _, err := db.Query(ctx, "SELECT SLEEP(1000)", 10*long); ended <- err }()
	waitFor(t, "the statement does not run", func() bool { return running(t, m) == "1" })
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	waitFor(t, "a cancelled statement still runs", func() bool { return running(t, m) == "0" })
}

func running(t *testing.T, m sqltest.MariaDB) string {
	return m.Value(t, "SELECT count(*) FROM information_schema.PROCESSLIST WHERE USER = 'reader' AND INFO IS NOT NULL")
}

func waitFor(t *testing.T, wrong string, is func() bool) {
	t.Helper()
	for deadline := time.Now().Add(long); !is(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal(wrong)
		}
	}
}

// A result is cut at the limits, and the statement ends on the server.
func testCut(t *testing.T, m sqltest.MariaDB) {
	few := open(t, m.Address("reader"), server.Limits{Rows: 2, Bytes: 1000})
	for statement, want := range map[string]string{
		"SELECT id FROM customers ORDER BY id":         "[[1],[2]] cut by rows",
		"SELECT id FROM customers ORDER BY id LIMIT 2": "[[1],[2]]",
		"SELECT seq FROM seq_1_to_100000000":           "[[1],[2]] cut by rows",
		"SELECT REPEAT('x', 600) FROM customers":       `[["` + strings.Repeat("x", 600) + `"]] cut by bytes`,
		"SELECT REPEAT('x', 1001)":                     "error: the first row has more than 1000 bytes: select fewer columns, or parts of them by substring()",
	} {
		if got := sqltest.Ask(few, statement, long); got != want {
			t.Errorf("%s: got %s, want %s", statement, got, want)
		}
	}
	waitFor(t, "statements still run", func() bool { return running(t, m) == "0" })
}

// The schema has what the user may read: columns, keys, links and first rows.
func testSchema(t *testing.T, m sqltest.MariaDB) {
	m.RunIn(t, "shop", "CREATE DATABASE other", "CREATE TABLE other.`odd ``name` (`a``b` INT PRIMARY KEY)", "CREATE TABLE other.links (x INT, FOREIGN KEY (x) REFERENCES `odd ``name` (`a``b`))",
		"INSERT INTO other.`odd ``name` VALUES (7)", "CREATE VIEW other.slow AS SELECT SLEEP(1000) AS s", "GRANT SELECT ON other.* TO reader")
	s, err := open(t, strings.Replace(m.Address("reader"), "/shop", "/other", 1), usual).Schema(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	raw, _ := json.Marshal(s.Tables) // JSON holds all values of rows
	want := "[{\"name\":\"links\",\"columns\":[{\"name\":\"x\",\"type\":\"int(11)\"}],\"links\":[\"x → odd `name.a`b\"],\"rows\":[]}," +
		"{\"name\":\"odd `name\",\"columns\":[{\"name\":\"a`b\",\"type\":\"int(11)\",\"key\":true}],\"rows\":[[7]]}," +
		"{\"name\":\"slow\",\"view\":true,\"columns\":[{\"name\":\"s\",\"type\":\"int(1)\"}],\"rows\":[]}]"
	if diff := cmp.Diff(want, string(raw)); diff != "" || s.Dialect != "MySQL" || s.More != 0 {
		t.Error(diff, s.Dialect, s.More)
	}
}

// Rights finds what a user may change.
func testRights(t *testing.T, m sqltest.MariaDB) {
	m.RunIn(t, "shop", "CREATE USER columns IDENTIFIED BY 'columns-password'", "GRANT SELECT, UPDATE (price, day) ON shop.orders TO columns",
		"CREATE ROLE changer", "GRANT DELETE ON shop.* TO changer", "CREATE USER by_role IDENTIFIED BY 'by_role-password'",
		"GRANT SELECT ON shop.* TO by_role", "GRANT changer TO by_role", "SET DEFAULT ROLE changer FOR by_role")
	for user, want := range map[string]string{
		"reader": "", "admin": "it has the privilege ALL PRIVILEGES on *.*", "columns": "it has the privilege UPDATE on shop.orders",
		"by_role": "it has the privilege DELETE on shop.*",
	} {
		rights, err := open(t, m.Address(user), usual).Rights(t.Context())
		if err != nil || want == "" != (len(rights) == 0) || want != "" && rights[0] != want {
			t.Errorf("%s: %q %v, want %s", user, rights, err, want)
		}
	}
}

// A statement leaves nothing in the session that the next one could see.
func testSession(t *testing.T, m sqltest.MariaDB) {
	db := open(t, m.Address("reader"), usual)
	for _, pair := range [][2]string{
		{"SELECT @a := 7", "SELECT @a IS NOT NULL"}, {"SELECT GET_LOCK('x', 0)", "SELECT IS_USED_LOCK('x') IS NOT NULL"},
	} {
		if got := sqltest.Ask(db, pair[0], long); strings.HasPrefix(got, "error") {
			t.Errorf("%s: %s", pair[0], got)
		}
		waitFor(t, "the state of the session is left after "+pair[0], func() bool { return sqltest.Ask(db, pair[1], long) == "[[0]]" })
	}
}

// This is not stopped, as the documentation says: the boundary is the user.
func testFiles(t *testing.T, m sqltest.MariaDB) {
	db := open(t, m.Address("admin"), usual)
	if got := sqltest.Ask(db, "SELECT LOAD_FILE('"+m.Log+"') IS NOT NULL", long); got != "[[1]]" {
		t.Errorf("the documentation says that a user with FILE can read files: %s", got)
	}
}

// A refused login, another database, a host without a server and an unknown host are failures of the server; no
// error has the password.
func testLogin(t *testing.T, m sqltest.MariaDB) {
	place := fmt.Sprintf("127.0.0.1:%d/", m.Port)
	for address, want := range map[string]string{
		m.AddressOf("mysql", "reader:hunter22-wrong", "shop"): place + "shop: Access denied for user 'reader'",
		m.AddressOf("mysql", "admin:admin-password", "no"):    place + "no: Unknown database 'no'",
		"mysql://reader:hunter22-wrong@127.0.0.1:1/shop":      "127.0.0.1:1/shop: ",
		"mysql://reader:hunter22-wrong@no.invalid/shop":       "no.invalid:3306/shop: ",
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
	if version, err := open(t, m.Address("reader"), usual).Greet(t.Context()); err != nil || !strings.HasPrefix(version, "MariaDB 1") {
		t.Error(version, err)
	}
}

// Statements at the same time get their own results.
func testAtOnce(t *testing.T, m sqltest.MariaDB) {
	db := open(t, m.Address("reader"), usual)
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

// A server that dies is infra, never the agent's.
func testDeath(t *testing.T, m sqltest.MariaDB) {
	db := open(t, m.Address("reader"), usual)
	ended := make(chan string)
	go func() { ended <- sqltest.Ask(db, "SELECT SLEEP(1000)", 10*long) }()
	waitFor(t, "the statement does not run", func() bool { return running(t, m) == "1" })
	m.Kill()
	if got := <-ended; !strings.HasPrefix(got, fmt.Sprintf("lost: 127.0.0.1:%d/shop: ", m.Port)) {
		t.Error(got)
	}
	if got := sqltest.Ask(db, "SELECT 1", long); !strings.HasPrefix(got, "lost: ") {
		t.Error(got)
	}
}
