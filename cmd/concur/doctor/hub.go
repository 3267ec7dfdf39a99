package doctor

import (
	"context"
	"fmt"
	"time"

	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/reports/listing"
	"github.com/seed-5817661a/concur/runner/hub/coordinator"
	"github.com/seed-5817661a/concur/runner/hub/link"
)

// answerWait is the time in which workers answer. They answer at once, if their machine is not very busy.
const answerWait = 2 * time.Second

// Hub connects to a hub, and lists its limits, its workers and its runs. version is that of this concur. It changes
// nothing at the hub.
func (d *Examination) Hub(ctx context.Context, o link.Options, version string) {
	name := o.URL
	if link.CheckURL(o.URL) != nil {
		name = "URL" // it may have a password
	}
	if !d.Network {
		d.Checks = append(d.Checks, listing.Check{What: "hub", Name: name, Needed: true, State: listing.NotTried})
		return
	}
	l, err := link.Dial(ctx, o)
	if err != nil {
		d.Tried("hub", name, true, err, "")
		return
	}
	defer l.Close()
	facts, err := l.Inspect(ctx)
	if err != nil {
		d.Tried("hub", name, true, err, "look at the log of the server")
		return
	}
	d.Tried("hub", name, true, nil, "").Detail = facts.Server
	d.payload(facts)
	store := d.Tried("hub", "storage", true, facts.Room(), "")
	if store.State == listing.Works {
		store.Detail = fmt.Sprintf("%d MB used, without a limit of the account", facts.Used>>20)
		if facts.Store >= 0 {
			store.Detail = fmt.Sprintf("%d of %d MB used", facts.Used>>20, facts.Store>>20)
		}
	}
	d.workers(ctx, l, version)
	d.runs(ctx, l, name)
}

// usualPayload is the size of a message in bytes below which many traces travel in parts.
const usualPayload = 512 << 10

// payload reports the maximum size of messages. A hub that accepts less than a trace needs is an error of Dial.
func (d *Examination) payload(f link.Facts) {
	check := d.Tried("hub", "messages", true, nil, "")
	check.Detail = fmt.Sprintf("of at most %d KB", f.MaxPayload>>10)
	if f.MaxPayload < usualPayload {
		check.Detail += ", so that traces travel in many parts"
		check.Mend = "set max_payload of the NATS server to 1MB"
	}
}

// workers lists the workers that answer.
func (d *Examination) workers(ctx context.Context, l *link.Link, version string) {
	all, err := l.Workers(ctx, answerWait)
	if err == nil && len(all) == 0 {
		d.Checks = append(d.Checks, listing.Check{What: "worker", Name: "none", State: listing.NotSet,
			Mend: "start some with `concur work URL`"})
		return
	}
	if err != nil {
		d.Tried("worker", "all", false, err, "run doctor again")
	}
	for _, a := range all {
		check := d.Tried("worker", a.Worker, false, nil, "")
		check.Detail = fmt.Sprintf("concur %.40s, %s, %s in flight", a.Version, text.Counted(a.Places, "place"),
			text.Counted(len(a.Running), "trace"))
		if a.Version != version {
			check.Mend = fmt.Sprintf("this is concur %s: a worker with other prompts or rules takes no work", version)
		}
	}
}

// runs lists the runs at the hub. A run without a coordinator is no failure: it can be resumed.
func (d *Examination) runs(ctx context.Context, l *link.Link, url string) {
	all, err := coordinator.Runs(ctx, l)
	if err != nil {
		d.Tried("run", "all", false, err, "run doctor again")
	}
	for _, a := range all {
		check := d.Tried("run", string(a.Run), false, nil, "")
		check.Detail = fmt.Sprintf("%s waiting, %s not taken", text.Counted(int(a.Work), "trace"),
			text.Counted(int(a.Results), "message"))
		if a.Lives() {
			check.Detail = fmt.Sprintf("coordinated by process %d of %.60s; %s", a.Holder.Process, a.Holder.Host, check.Detail)
			continue
		}
		silent := "it was interrupted"
		if !a.Released {
			silent = "its coordinator was not heard for " + a.Silent.Round(time.Second).String()
		}
		check.State, check.Detail = listing.NotUsed, silent+"; "+check.Detail
		check.Mend = fmt.Sprintf("go on with `concur run --resume %s --hub %s`, or remove such runs with `concur hub clean "+
			"%[2]s`", a.Run, url)
	}
}
