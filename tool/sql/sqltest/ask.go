package sqltest

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/seed-5817661a/concur/tool/sql/server"
)

// Open reads an address with a driver, and closes the connections at the end of the test.
func Open(t testing.TB, driver server.Driver, address string, limits server.Limits) server.Server {
	t.Helper()
	db, err := driver.Open(address, limits)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

// Ask returns the rows of a statement as JSON, or its error after "error: " or, of the server, "lost: ".
func Ask(db server.Server, statement string, limit time.Duration) string {
	r, err := db.Query(context.Background(), statement, limit)
	if _, lost := errors.AsType[*server.LostError](err); lost {
		return "lost: " + err.Error()
	}
	if err != nil {
		return "error: " + err.Error()
	}
	raw, _ := json.Marshal(r.Rows) // JSON holds all values of rows
	if r.Cut != "" {
		return string(raw) + " cut by " + r.Cut
	}
	return string(raw)
}
