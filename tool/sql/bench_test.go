package sql_test

import (
	"context"
	"encoding/json"
	"os"
	"testing"

	"github.com/seed-5817661a/concur/tool"
	"github.com/seed-5817661a/concur/tool/sql/sqltest"
)

// BenchmarkServer prints the time of a small statement on a server on the same machine, with login, transaction, time
// limit and reset, and beside it that of an SQLite file.
func BenchmarkServer(b *testing.B) {
	call := json.RawMessage(`{"statement": "SELECT name, sum(price) FROM customers JOIN orders ON customer = id GROUP BY name"}`)
	for name, open := range map[string]func(*testing.B) tool.Tool{
		"sqlite": func(b *testing.B) tool.Tool { return openSQLite(b) },
		"postgres": func(b *testing.B) tool.Tool {
			query, _, _ := openServer(b, sqltest.StartPostgres(b, os.Getenv(sqltest.Programs)).Address("reader"))
			return query
		},
		"mariadb": func(b *testing.B) tool.Tool {
			query, _, _ := openServer(b, sqltest.StartMariaDB(b, os.Getenv(sqltest.Programs)).Address("reader"))
			return query
		},
	} {
		b.Run(name, func(b *testing.B) {
			t := open(b)
			for b.Loop() {
				if _, err := t.Call(context.Background(), call); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
