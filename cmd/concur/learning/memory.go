package learning

import (
	"cmp"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/cmd/concur/console"
	"github.com/seed-5817661a/concur/cmd/concur/flags"
	"github.com/seed-5817661a/concur/cmd/concur/reading"
	"github.com/seed-5817661a/concur/reports/document"
	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/memory"
	"github.com/seed-5817661a/concur/runner/store/disk"
)

func memoryAdd(ctx context.Context, given *memoryAddOptions, w io.Writer) error {
	return addMemory(ctx, given.file, w, func(have []memory.Item) ([]memory.Item, error) {
		item := memory.Item{
			ID: cmp.Or(given.id, memory.NewID(have)), Owner: flags.ValueOr(given.owner, ""), Text: given.Word(0),
			Time:   cmp.Or(given.time, time.Now().UTC().Format(time.DateOnly)),
			Source: given.source, Supersedes: given.supersedes,
		}
		return []memory.Item{item}, item.Validate()
	})
}

func addMemory(ctx context.Context, file string, w io.Writer, items func([]memory.Item) ([]memory.Item, error)) error {
	patient, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	added, err := memory.Add(patient, file, items)
	if errors.Is(err, disk.ErrHeld) {
		err = console.WithCode(console.ExitInvalid, err)
	}
	if err != nil {
		return err
	}
	for _, item := range added {
		fmt.Fprintf(w, "added %s to %s\n", item.ID, file)
	}
	if len(added) == 0 {
		fmt.Fprintf(w, "%s has them all\n", file)
	}
	return nil
}

func memoryList(given *memoryListOptions, w io.Writer) error {
	items, err := memory.Open(given.file)
	if err != nil {
		return err
	}
	if !given.all {
		items = memory.Current(items)
	}
	for _, item := range items {
		if given.owner != nil && item.Owner != *given.owner {
			continue
		}
		fmt.Fprintf(w, "%s\t%s\t%.10s\t%s\n", document.Printable(item.ID), document.Printable(item.Owner), item.Time,
			document.Printable(item.Text))
	}
	return nil
}

func memoryFrom(ctx context.Context, c *console.Console, given *memoryFromOptions, w io.Writer) error {
	run, err := c.FindRun(given.runsDir, given.Word(0))
	if err != nil {
		return err
	}
	if n := len(run.Manifest.Configurations); n > 1 && given.configuration == "" {
		return console.Usagef("run %s has %d configurations: name one with --configuration", run.Manifest.Run, n)
	}
	records, err := reading.Chosen(given.configuration, run)
	if err != nil {
		return err
	}
	owners := map[string]string{}
	if given.owner != nil {
		if err := given.Idle("with --owner", flags.NameDataset); err != nil {
			return err
		}
		for _, r := range records {
			owners[r.Query] = *given.owner
		}
	} else if data, _, err := runner.Reopen(run.Manifest, given.dataset); err == nil {
		for _, q := range data.Queries {
			owners[q.ID] = q.Owner
		}
	} else {
		return err
	}
	items := memory.FromRun(run.Manifest, records, owners)
	return addMemory(ctx, given.file, w, func(have []memory.Item) ([]memory.Item,
		error) {
		return memory.Without(items, have), nil
	})
}

//go:embed help/memory.txt
var memoryHelp string

// MemoryCommand returns the command `concur memory`.
func MemoryCommand(c *console.Console) *cli.Command {
	return &cli.Command{
		Name: "memory", Description: flags.Described(memoryHelp),
		Usage:  "manage facts about the people who ask the agent",
		Action: flags.ShowCommands,
		Subcommands: []*cli.Command{
			memoryAddCommand(c),
			memoryListCommand(c),
			memoryFromCommand(c),
		},
	}
}

//go:embed help/memory-add.txt
var memoryAddHelp string

// memoryAddOptions holds the arguments and flags of concur memory add.
type memoryAddOptions struct {
	flags.Arguments

	owner                              *string
	file, id, time, source, supersedes string
}

func memoryAddCommand(c *console.Console) *cli.Command {
	var given memoryAddOptions
	return &cli.Command{
		Name: "add", ArgsUsage: "TEXT", Description: flags.Described(memoryAddHelp),
		Usage: "add an item",
		Flags: []cli.Flag{
			flags.File(&given.file),
			flags.Owner(&given.owner),
			&cli.StringFlag{
				Name: "id", Destination: &given.id, DefaultText: "the next of m1, m2, …",
				Usage: "`ID` of the item",
			},
			&cli.StringFlag{
				Name: "time", Destination: &given.time, DefaultText: "today",
				Usage: "`DATE` from which the item is true, such as 2024-05-03",
			},
			&cli.StringFlag{Name: "source", Destination: &given.source, Usage: "`SOURCE` of the item"},
			&cli.StringFlag{
				Name: "supersedes", Destination: &given.supersedes,
				Usage: "`ID` of the item that the new item replaces",
			},
		},
		Action: flags.Takes(&given.Arguments, "one TEXT: put it in quotation marks",
			c.Folded(func(ctx context.Context, w io.Writer) error {
				return memoryAdd(ctx, &given, w)
			})),
	}
}

//go:embed help/memory-list.txt
var memoryListHelp string

// memoryListOptions holds the arguments and flags of concur memory list.
type memoryListOptions struct {
	flags.Arguments

	owner *string
	file  string
	all   bool
}

func memoryListCommand(c *console.Console) *cli.Command {
	var given memoryListOptions
	return &cli.Command{
		Name: "list", Description: flags.Described(memoryListHelp),
		Usage: "show the valid items",
		Flags: []cli.Flag{
			flags.File(&given.file),
			flags.Owner(&given.owner),
			&cli.BoolFlag{Name: "all", Destination: &given.all, Usage: "also show items that another item supersedes"},
		},
		Action: flags.Takes(&given.Arguments, "no argument: name the file with --file",
			c.Folded(func(_ context.Context, w io.Writer) error {
				return memoryList(&given, w)
			})),
	}
}

//go:embed help/memory-from.txt
var memoryFromHelp string

// memoryFromOptions holds the arguments and flags of concur memory from.
type memoryFromOptions struct {
	flags.Arguments

	owner                                 *string
	file, configuration, dataset, runsDir string
}

func memoryFromCommand(c *console.Console) *cli.Command {
	var given memoryFromOptions
	return &cli.Command{
		Name: "from", ArgsUsage: "RUN", Description: flags.Described(memoryFromHelp),
		Usage: "add the right answers of a run as items",
		Flags: []cli.Flag{
			flags.File(&given.file),
			flags.Owner(&given.owner),
			flags.Configuration(&given.configuration),
			flags.Dataset(&given.dataset),
			flags.RunsDir(&given.runsDir),
		},
		Action: flags.Takes(&given.Arguments, "", c.Folded(func(ctx context.Context, w io.Writer) error {
			return memoryFrom(ctx, c, &given, w)
		})),
	}
}
