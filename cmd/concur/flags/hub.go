package flags

import (
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/cmd/concur/console"
	"github.com/seed-5817661a/concur/runner/assemble"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/hub/coordinator"
	"github.com/seed-5817661a/concur/runner/hub/link"
	"github.com/seed-5817661a/concur/runner/hub/plan"
)

// HubOptions holds the flags of commands that use a hub.
type HubOptions struct {
	URL, TokenFile, CA string
	Losses             int
	AckWait            time.Duration
	Permits            plan.Permits

	given []string // flags that the command line or a variable sets
}

// NoHub is the value of --hub that makes the traces here, although concur.yaml names a hub.
const NoHub = "none"

// Complete adds the keys of the configuration file for which neither a flag nor a variable is set. Afterwards the URL
// is "" if the traces are made here.
func (h *HubOptions) Complete(s *Settings) error {
	f, err := s.FromFile(config.New())
	if err != nil && f.Hub != (config.Hub{}) { // otherwise the commands that need the file report the error
		return console.Usagef("%w", err)
	}
	of := f.Hub.In(filepath.Dir(s.ConfigurationFile()))
	place := func(err error) error { return fmt.Errorf("--%s (or CONCUR_HUB): %w", NameHub, err) }
	if !slices.Contains(h.given, NameHub) {
		h.URL, place = of.URL, f.AtHub
	}
	for name, set := range map[string]func(){
		nameHubToken:  func() { h.TokenFile = of.TokenFile },
		nameHubCA:     func() { h.CA = of.CA },
		NameHubLosses: func() { h.Losses = ValueOr(of.Losses, coordinator.DefaultLosses) },
		nameAckWait:   func() { h.AckWait = ValueOr(of.AckWait, defaultAckWait) },
	} {
		if !slices.Contains(h.given, name) {
			set()
		}
	}
	if h.URL == NoHub {
		h.URL = ""
	}
	if h.URL == "" {
		return nil
	}
	if err := link.CheckURL(h.URL); err != nil {
		return console.Usagef("%w", place(err))
	}
	return nil
}

// Again returns the flags with which another command uses the same hub. Keys of the configuration file are left out,
// because the other command reads them too. h may be nil.
func (h *HubOptions) Again() (words []string) {
	if h == nil || h.URL == "" {
		return nil
	}
	for _, f := range []struct{ name, value string }{
		{NameHub, h.URL}, {nameHubToken, h.TokenFile}, {nameHubCA, h.CA},
	} {
		if f.value != "" && slices.Contains(h.given, f.name) {
			words = append(words, "--"+f.name, f.value)
		}
	}
	return words
}

// noteFlag returns an action that notes that a flag or its variable is set.
func noteFlag[T any](h *HubOptions, name string) func(*cli.Context, T) error {
	return func(*cli.Context, T) error {
		h.given = append(h.given, name)
		return nil
	}
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
	nameAckWait   = "hub-ack-wait"
	HubToken      = "CONCUR_HUB_TOKEN" // the variable with the secret of a hub
)

const defaultAckWait = 30 * time.Second

// Hub returns the flag --hub.
func Hub(h *HubOptions, usage, without string) cli.Flag {
	return &cli.StringFlag{Name: NameHub, Destination: &h.URL, EnvVars: []string{"CONCUR_HUB"}, DefaultText: without,
		Action: noteFlag[string](h, NameHub), Usage: usage}
}

// HubGroup returns the flags of a run whose traces are made by the workers of a hub.
func HubGroup(h *HubOptions) []cli.Flag {
	return append([]cli.Flag{
		Hub(h, "let the workers of the hub at `URL` make the traces: docs/machines.md; none: make them here",
			"traces are made here"),
		&cli.IntFlag{
			Name: NameHubLosses, Destination: &h.Losses, Value: coordinator.DefaultLosses,
			EnvVars: []string{"CONCUR_HUB_LOSSES"}, Action: noteFlag[int](h, NameHubLosses),
			Usage: "with --hub: end a trace as infra after this many `WORKERS` disappeared with it, 3 or more; 0: never",
		},
		&cli.DurationFlag{
			Name: nameAckWait, Destination: &h.AckWait, Value: defaultAckWait, EnvVars: []string{"CONCUR_HUB_ACK_WAIT"},
			Action: noteFlag[time.Duration](h, nameAckWait),
			Usage:  "with --hub: give a trace to another worker if its worker is silent for this `TIME`",
		},
	}, ConnectionGroup(h)...)
}

// ConnectionGroup returns the flags for the connection to a hub.
func ConnectionGroup(h *HubOptions) []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{
			Name: nameHubToken, TakesFile: true, Destination: &h.TokenFile, EnvVars: []string{"CONCUR_HUB_TOKEN_FILE"},
			Action: noteFlag[string](h, nameHubToken), DefaultText: "the variable " + HubToken,
			Usage: "`FILE` with the secret of the hub",
		},
		&cli.StringFlag{
			Name: nameHubCA, TakesFile: true, Destination: &h.CA, EnvVars: []string{"CONCUR_HUB_CA"},
			Action: noteFlag[string](h, nameHubCA), DefaultText: "those of the system",
			Usage: "`FILE` with the certificates by which the hub is trusted",
		},
	}
}
