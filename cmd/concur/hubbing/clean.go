package hubbing

import (
	"context"
	_ "embed"
	"fmt"
	"io"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/cmd/concur/console"
	"github.com/seed-5817661a/concur/cmd/concur/flags"
	"github.com/seed-5817661a/concur/runner/hub/coordinator"
	"github.com/seed-5817661a/concur/runner/hub/link"
)

// cleanAction removes runs without a coordinator from a hub.
func cleanAction(ctx context.Context, c *console.Console, given *hubOptions, w io.Writer) error {
	given.URL = given.Word(0)
	l, err := connect(ctx, c, &given.HubOptions, nil)
	if err != nil {
		return err
	}
	defer l.Close()
	removed, kept, err := coordinator.Clean(ctx, l, coordinator.Times{})
	for _, run := range removed {
		fmt.Fprintf(w, "removed %s\n", run)
	}
	for _, run := range kept {
		fmt.Fprintf(w, "kept %s, which is running\n", run)
	}
	if err == nil && len(removed)+len(kept) == 0 {
		fmt.Fprintln(w, "the hub has no runs")
	}
	return explainHub(err)
}

// explainHub adds the way out to an error of the hub.
func explainHub(err error) error {
	if err != nil && link.Full(err) {
		return fmt.Errorf("the hub is full: %w; give it a larger --store", err)
	}
	return err
}

//go:embed help/hub.txt
var hubHelp string

// hubOptions holds the arguments and flags of concur hub clean.
type hubOptions struct {
	flags.Arguments
	flags.HubOptions
}

//go:embed help/hub-clean.txt
var hubCleanHelp string

// HubCommand returns the command hub.
func HubCommand(c *console.Console) *cli.Command {
	var given hubOptions
	return &cli.Command{
		Name: "hub", Usage: "look after a hub, through which several machines work on a run", Action: flags.ShowCommands,
		Description: flags.Described(hubHelp),
		Subcommands: []*cli.Command{{
			Name: "clean", ArgsUsage: "URL", Usage: "remove what runs without a coordinator have left at a hub",
			Description: flags.Described(hubCleanHelp),
			Flags:       flags.ConnectionGroup(&given.HubOptions),
			Action: flags.Takes(&given.Arguments, "the URL of a hub, such as nats://127.0.0.1:4222",
				c.Folded(func(ctx context.Context, w io.Writer) error { return cleanAction(ctx, c, &given, w) })),
		}},
	}
}
