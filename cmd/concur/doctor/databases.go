package doctor

import (
	"context"
	"strings"

	"github.com/seed-5817661a/concur/reports/listing"
	"github.com/seed-5817661a/concur/runner/config"
)

// databases logs in to each database on a server, and reports what its role may change: the agent under test writes
// the statements, and only the role's rights limit their effects. Nothing is written.
func (d *Examination) databases(ctx context.Context, conf config.Configuration) {
	for _, db := range d.Assembler.Databases(conf) {
		key := listing.Check{What: "key", Name: db.Variable, State: listing.Present, Needed: true}
		if !db.Set {
			key.State, key.Mend = listing.NotSet, "export the address of the database of "+db.Tool
		}
		d.Checks = append(d.Checks, key)
		switch {
		case !db.Set:
			continue
		case !d.Network:
			d.Checks = append(d.Checks, listing.Check{What: "database", Name: db.Tool, Needed: true, State: listing.NotTried})
			continue
		}
		about, rights, err := db.Probe(ctx)
		check := d.Tried("database", db.Tool, true, err, "correct the address in "+db.Variable+", or start the server")
		switch {
		case err != nil:
		case len(rights) > 0:
			check.State = listing.Exposed
			check.Detail = about + "; the role may write: " + strings.Join(rights, ", ")
			check.Mend = "give " + db.Variable + " a role that may only read, or the agent may change the database"
		default:
			check.Detail = about + "; the role may only read"
		}
	}
}
