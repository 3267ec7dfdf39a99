package statement_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/datasets/statement"
)

func Example() {
	fmt.Println(statement.Ordered("SELECT name FROM staff ORDER BY name -- by name"))
	fmt.Println(statement.Ordered("SELECT name FROM (SELECT name FROM staff ORDER BY salary LIMIT 3)"))
	fmt.Println(statement.Changing("SELECT * FROM bills WHERE due < date('now')"))
	// Output:
	// true
	// false
	// ['now']
}

func TestOrdered(t *testing.T) {
	for sql, want := range map[string]bool{
		"":                                           false,
		"SELECT a FROM t ORDER BY a":                 true,
		"select a from t order\n\tby a":              true,
		"SELECT a FROM t ORDER/* x */BY a":           true,
		"SELECT a FROM t ORDER -- x\n BY a;":         true,
		"SELECT a FROM t -- ORDER BY a":              false,
		"SELECT a FROM t /* ORDER BY a */":           false,
		"SELECT a FROM t /* ORDER BY a":              false,
		"SELECT 'ORDER BY a' FROM t":                 false,
		"SELECT 'it''s ORDER BY ' FROM t":            false,
		`SELECT "order by" FROM t`:                   false,
		"SELECT `order by x` FROM t":                 false,
		"SELECT [order by x] FROM t":                 false,
		"SELECT $$ ORDER BY $$, $x$ ORDER BY $x$":    false,
		"SELECT $1 FROM t ORDER BY $2":               true,
		"SELECT a FROM (SELECT a FROM t ORDER BY a)": false,
		"SELECT a FROM t WHERE a IN (SELECT a FROM t ORDER BY a LIMIT 1) ORDER BY 1":             true,
		"SELECT rank() OVER (ORDER BY a) FROM t":                                                 false,
		"SELECT sum(a) OVER w FROM t WINDOW w AS (ORDER BY a)":                                   false,
		"SELECT group_concat(a ORDER BY a) FROM t":                                               false,
		"WITH x AS (SELECT a FROM t ORDER BY a) SELECT a FROM x":                                 false,
		"WITH x AS (SELECT a FROM t) SELECT a FROM x ORDER BY a LIMIT 3":                         true,
		"SELECT a FROM t UNION SELECT b FROM u ORDER BY 1":                                       true,
		"(SELECT a FROM t ORDER BY a)":                                                           true,
		"((SELECT a FROM t ORDER BY a));":                                                        true,
		"(SELECT a FROM t ORDER BY a LIMIT 1) UNION ALL (SELECT b FROM u ORDER BY b LIMIT 1)":    false,
		"(SELECT a FROM t) UNION ALL (SELECT b FROM u) ORDER BY 1":                               true,
		`SELECT "order" FROM t`:                                                                  false,
		"SELECT order_by FROM t":                                                                 false,
		"SELECT reorder, by FROM t":                                                              false,
		"SELECT count(*) FILTER (WHERE a > 0), 'x' || ')' FROM t ORDER BY 1 COLLATE NOCASE DESC": true,
	} {
		if got := statement.Ordered(sql); got != want {
			t.Errorf("%s: %v", sql, got)
		}
	}
}

func TestChanging(t *testing.T) {
	for sql, want := range map[string][]string{
		"SELECT a FROM t WHERE d < '2026-02-01'":                       nil,
		"SELECT random(), RANDOM ( )":                                  {"random()"},
		"SELECT current_date, Current_Timestamp":                       {"current_date", "current_timestamp"},
		"SELECT now FROM t":                                            nil,
		"SELECT t.now, t.current_date FROM t":                          nil,
		"SELECT now()":                                                 {"now()"},
		"SELECT date('now', '-7 days')":                                {"'now'"},
		"SELECT strftime('%Y', 'now')":                                 {"'now'"},
		"SELECT strftime('%Y', upper('now'))":                          nil,
		"SELECT date(), date(d) FROM t":                                {"date()"},
		"SELECT * FROM t WHERE word = 'now' AND state IN ('today','')": nil,
		"SELECT date 'today', 'yesterday'::date":                       {"'today'", "'yesterday'"},
		"SELECT 'random()' -- now()":                                   nil,
		`SELECT "random" FROM t`:                                       nil,
		"SELECT * FROM random":                                         nil,
		"SELECT gen_random_uuid()":                                     {"gen_random_uuid()"},
	} {
		if diff := cmp.Diff(want, statement.Changing(sql)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", sql, diff)
		}
	}
}

// Statements that are built from parts, of which it is known whether the outermost one is ordered.
func TestOrderedParts(t *testing.T) {
	random := rand.New(rand.NewPCG(48, 2))
	pick := func(all ...string) string { return all[random.IntN(len(all))] }
	gap := func() string { return pick(" ", "\n", "\t", " -- order by x)\n", " /* ) ORDER BY ' */ ", "\r\n") }
	by := func() string { return pick("ORDER", "order", "Order") + gap() + pick("BY", "by") + gap() }
	var query func(depth int, ordered bool) string
	value := func(depth int) string {
		if depth > 0 && random.IntN(3) == 0 {
			return "(" + query(depth-1, random.IntN(2) == 0) + ")"
		}
		return pick("a", "'ORDER BY'", "'it''s ( order by'", `"order by )"`, "`order by`", "[order by (]", "count(*)",
			"sum(a) OVER ("+by()+"a)", "group_concat(a "+by()+"b)", "$$ order by ( $$", "order_by", "\"a\"\"order by\"", "1")
	}
	query = func(depth int, ordered bool) string {
		out := ""
		if random.IntN(4) == 0 {
			out = "WITH x AS (" + query(0, true) + ")" + gap()
		}
		out += "SELECT" + gap() + value(depth) + "," + gap() + value(depth) + gap() + "FROM" + gap() + "t" + gap()
		if random.IntN(2) == 0 {
			out += "WHERE a =" + gap() + value(depth) + gap()
		}
		if random.IntN(4) == 0 {
			out += "UNION" + gap() + "SELECT 1, " + value(depth) + gap()
		}
		if ordered {
			out += by() + value(depth) + gap()
		}
		return out + pick("", "LIMIT 3")
	}
	for range 20_000 {
		want := random.IntN(2) == 0
		sql := query(2, want)
		if random.IntN(5) == 0 {
			sql = "(" + sql + ")"
		}
		if got := statement.Ordered(sql + pick("", ";", " ;\n")); got != want {
			t.Fatalf("%v, want %v: %s", got, want, sql)
		}
	}
}

func FuzzOrdered(f *testing.F) {
	for _, sql := range []string{"SELECT a ORDER BY a", "(((", "'", "$$", "/*", "[", ")) ORDER BY", "$a$b", "\xff ORDER BY"} {
		f.Add(sql)
	}
	f.Fuzz(func(t *testing.T, sql string) {
		statement.Changing(sql)
		ordered := statement.Ordered(sql)
		if ordered && !strings.Contains(strings.ToLower(sql), "order") {
			t.Errorf("%q has no ORDER", sql)
		}
		if got := statement.Ordered("SELECT * FROM (" + sql); ordered && got && !strings.Contains(sql, ")") {
			t.Errorf("%q is ordered in brackets, too", sql)
		}
	})
}
