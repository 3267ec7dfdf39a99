package doctor

import (
	"context"

	"github.com/seed-5817661a/concur/reports/listing"
	"github.com/seed-5817661a/concur/runner/assemble/programfiles"
	"github.com/seed-5817661a/concur/runner/config"
)

// agent looks whether the user's own agent is there: the server of agent.http accepts a connection, or the program of
// agent.exec exists. It asks the agent nothing, because a question may cost money and change something.
func (d *Examination) agent(ctx context.Context, conf config.Configuration) {
	e := conf.Agent.External
	switch {
	case e.HTTP != "" && !d.Network:
		d.Checks = append(d.Checks, listing.Check{What: "agent", Name: e.HTTP, Needed: true, State: listing.NotTried})
	case e.HTTP != "":
		check := d.Tried("agent", e.HTTP, true, d.Assembler.ReachAgent(ctx, conf),
			"start the server of your agent, or correct agent.http")
		if check.State == listing.Works {
			check.Detail = "it accepts a connection; it was asked nothing"
		}
	case len(e.Exec) > 0:
		check := d.Tried("agent", e.Exec[0], true, programfiles.Folder("").Check("agent.exec", e.Exec), "correct agent.exec")
		if check.State == listing.Works {
			check.Detail = "the program exists; `concur work --check` asks the agent one question"
		}
	}
}
