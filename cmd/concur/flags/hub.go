package flags

import (
	"time"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/runner/assemble"
	"github.com/seed-5817661a/concur/runner/hub/coordinator"
	"github.com/seed-5817661a/concur/runner/hub/plan"
)

// HubOptions holds the flags of commands that use a hub.
type HubOptions struct {
	URL, TokenFile, CA string
	Losses             int
	AckWait            time.Duration
	Permits            plan.Permits
}

// Options returns the options of a session whose requests other processes make, too.
func (h *HubOptions) Options(o assemble.Options) assemble.Options {
	if h.URL != "" {
		o.Permit = h.Permits.Take
	}
	return o
}

// Names of the flags of a hub.
const (
	NameHub       = "hub"
	nameHubToken  = "hub-token-file"
	nameHubCA     = "hub-ca"
	NameHubLosses = "hub-losses"
	HubToken      = "CONCUR_HUB_TOKEN" // the variable with the secret of a hub
)

// HubGroup returns the flags of a run whose traces are made by the workers of a hub.
func HubGroup(h *HubOptions) []cli.Flag {
	return append([]cli.Flag{
		&cli.StringFlag{
			Name: NameHub, Destination: &h.URL, EnvVars: []string{"CONCUR_HUB"}, DefaultText: "traces are made here",
			Usage: "let the workers of the hub at `URL` make the traces: docs/machines.md",
		},
		&cli.IntFlag{
			Name: NameHubLosses, Destination: &h.Losses, Value: coordinator.DefaultLosses,
			EnvVars: []string{"CONCUR_HUB_LOSSES"},
			Usage:   "with --hub: end a trace as infra after this many `WORKERS` disappeared with it; 0: never",
		},
		&cli.DurationFlag{
			Name: "hub-ack-wait", Destination: &h.AckWait, Value: 30 * time.Second, EnvVars: []string{"CONCUR_HUB_ACK_WAIT"},
			Usage: "with --hub: give a trace to another worker if its worker is silent for this `TIME`",
		},
	}, ConnectionGroup(h)...)
}

// ConnectionGroup returns the flags for the connection to a hub.
func ConnectionGroup(h *HubOptions) []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{
			Name: nameHubToken, TakesFile: true, Destination: &h.TokenFile, EnvVars: []string{"CONCUR_HUB_TOKEN_FILE"},
			DefaultText: "the variable " + HubToken,
			Usage:       "`FILE` with the secret of the hub",
		},
		&cli.StringFlag{
			Name: nameHubCA, TakesFile: true, Destination: &h.CA, EnvVars: []string{"CONCUR_HUB_CA"},
			DefaultText: "those of the system",
			Usage:       "`FILE` with the certificates by which the hub is trusted",
		},
	}
}
