package doctor

import (
	"context"
	"errors"
	"os/exec"

	"github.com/seed-5817661a/concur/internal/sandbox"
	"github.com/seed-5817661a/concur/internal/sandbox/bwrap"
	"github.com/seed-5817661a/concur/internal/sandbox/choose"
	"github.com/seed-5817661a/concur/internal/sandbox/container"
	"github.com/seed-5817661a/concur/internal/sandbox/selftest"
	"github.com/seed-5817661a/concur/reports/listing"
)

// Sandboxes starts each sandbox of this machine in each language, and attacks those that start: a bound that does not
// hold is a failed check. A sandbox that does not start is not set up, and no failure. folder is a folder that
// programs must not see, such as that of the runs.
func (d *Examination) Sandboxes(ctx context.Context, getenv func(string) string, folder string) {
	for _, name := range []string{bwrap.Name, container.Docker, container.Podman} {
		if name != bwrap.Name {
			if _, err := exec.LookPath(name); err != nil {
				continue // most machines have no container client, and need none
			}
		}
		for _, language := range []string{sandbox.Python, sandbox.JavaScript} {
			d.sandbox(ctx, choose.Options{Sandbox: name, Languages: []string{language}, Getenv: getenv}, folder)
		}
	}
}

// sandbox opens one sandbox in one language, and attacks it if the language is that of the attacks.
func (d *Examination) sandbox(ctx context.Context, o choose.Options, folder string) {
	engine, err := choose.Open(ctx, o)
	if err != nil {
		check := d.Tried("sandbox", o.Sandbox+" "+o.Languages[0], false, err, "")
		check.State = listing.NotSet
		if failure, ok := errors.AsType[*sandbox.StartError](err); ok {
			check.Detail, check.Mend = failure.Cause, failure.Remedy
		}
		return
	}
	defer engine.Close()
	check := d.Tried("sandbox", o.Sandbox+" "+o.Languages[0], false, nil, "")
	check.Detail = engine.Version()
	if describer, ok := engine.(interface{ Describe() string }); ok {
		check.Detail = describer.Describe()
	}
	if o.Languages[0] == sandbox.Python {
		d.attack(ctx, engine, folder)
	}
}

// attack adds a check for each bound of an engine.
func (d *Examination) attack(ctx context.Context, engine sandbox.Engine, folder string) {
	findings, err := selftest.Run(ctx, engine, folder)
	if err != nil {
		d.Tried("sandbox", engine.Name()+": self-test", true, err, "run doctor again; report it if it fails again")
	}
	for _, f := range findings {
		var failure error
		if !f.Holds {
			failure = errors.New("a program passed this bound: " + f.Detail)
		}
		d.Tried("sandbox", engine.Name()+": "+f.Bound, true, failure, "use another sandbox, and report this")
	}
}
