package doctor

import (
	"os"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/reports/listing"
	"github.com/seed-5817661a/concur/runner/assemble"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/tool/sql/sqltest"
)

// A role that may write is reported and fails nothing; a login that is refused fails.
func TestDatabases(t *testing.T) {
	p := sqltest.StartPostgres(t, os.Getenv(sqltest.Programs))
	conf := config.New()
	conf.Tools = map[string]config.DeclaredTool{"shop": {Settings: map[string]any{"database": map[string]any{"env": "SHOP_DSN"}}}}
	for address, want := range map[string]struct {
		state  listing.CheckState
		detail string
		failed bool
	}{
		p.Address("reader"): {listing.Works, "the role may only read", false},
		p.Address("writer"): {listing.Exposed, "the role may write: it may change the table orders", false},
		p.AddressOf("postgres", "reader:wrong-password", "shop"): {listing.Fails, "password authentication failed", true},
	} {
		environ := func(name string) string { return map[string]string{"SHOP_DSN": address}[name] }
		d := &Examination{Assembler: assemble.New(environ, assemble.Build{}), Network: true}
		d.databases(t.Context(), conf)
		if len(d.Checks) != 2 || d.Checks[0].Name != "SHOP_DSN" || d.Checks[0].State != listing.Present {
			t.Fatalf("%+v", d.Checks)
		}
		check := d.Checks[1]
		if check.Name != "tools.shop" || check.State != want.state || !strings.Contains(check.Detail, want.detail) ||
			strings.Contains(check.Detail, "-password") || d.Failed() != want.failed {
			t.Errorf("%s: %+v", want.detail, check)
		}
	}
	if before := p.Value(t, "SELECT count(*) FROM orders"); before != "5" {
		t.Errorf("orders has %s rows, had 5", before)
	}
}
