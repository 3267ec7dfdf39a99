package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/memory"
	"github.com/seed-5817661a/concur/runner/store"
)

const (
	flagMemoryFile = "file"
	flagOwner      = "owner"
)

func (c *console) memoryCommand() *cli.Command {
	return &cli.Command{
		Name:        "memory",
		Subcommands: []*cli.Command{c.memoryAddCommand(), c.memoryListCommand(), c.memoryFromCommand()},
		Action:      group,
	}
}

func memoryFlags(more ...cli.Flag) []cli.Flag {
	return append([]cli.Flag{
		&cli.StringFlag{Name: flagMemoryFile, Usage: "the `FILE` of the items", Value: "memory.jsonl", EnvVars: []string{"CONCUR_MEMORY"}},
		&cli.StringFlag{Name: flagOwner, Usage: "`NAME` of whose items they are", DefaultText: "nobody's"},
	}, more...)
}

func (c *console) memoryAddCommand() *cli.Command {
	return &cli.Command{
		Name: "add",
		Flags: memoryFlags(
			&cli.StringFlag{Name: "id", Usage: "`ID` of the item", DefaultText: "the next of m1, m2, …"},
			&cli.StringFlag{Name: "time", Usage: "since when: a `DATE` such as 2024-05-03", DefaultText: "today"},
			&cli.StringFlag{Name: "source", Usage: "`WHERE` it is from"},
			&cli.StringFlag{Name: "supersedes", Usage: "`ID` of the item that it replaces"},
		),
		Action: func(ctx *cli.Context) error {
			if ctx.NArg() != 1 {
				return usagef(`memory add takes one TEXT, and was given %d: put it in quotation marks`, ctx.NArg())
			}
			return c.addMemory(ctx, func(have []memory.Item) ([]memory.Item, error) {
				item := memory.Item{
					ID: ctx.String("id"), Owner: ctx.String(flagOwner), Text: ctx.Args().First(),
					Time: ctx.String("time"), Source: ctx.String("source"), Supersedes: ctx.String("supersedes"),
				}
				if item.ID == "" {
					item.ID = memory.NewID(have)
				}
				if item.Time == "" {
					item.Time = time.Now().UTC().Format(time.DateOnly)
				}
				return []memory.Item{item}, item.Validate()
			})
		},
	}
}

// addMemory adds items and says which.
func (c *console) addMemory(ctx *cli.Context, items func([]memory.Item) ([]memory.Item, error)) error {
	patient, cancel := context.WithTimeout(ctx.Context, 10*time.Second)
	defer cancel()
	added, err := memory.Add(patient, ctx.String(flagMemoryFile), items)
	if errors.Is(err, store.ErrHeld) {
		return &exitError{exitInvalid, err}
	}
	if err != nil {
		return notWritten(err)
	}
	for _, item := range added {
		if _, err := fmt.Fprintf(c.out, "added %s to %s\n", item.ID, ctx.String(flagMemoryFile)); err != nil {
			return err
		}
	}
	if len(added) == 0 {
		_, err = fmt.Fprintf(c.out, "%s has them all\n", ctx.String(flagMemoryFile))
	}
	return err
}

func (c *console) memoryListCommand() *cli.Command {
	return &cli.Command{
		Name:   "list",
		Flags:  memoryFlags(&cli.BoolFlag{Name: "all", Usage: "show those that others supersede too"}),
		Action: c.memoryList,
	}
}

func (c *console) memoryList(ctx *cli.Context) error {
	if ctx.NArg() > 0 {
		return usagef("memory list takes no argument, and was given %q: name the file with --%s", ctx.Args().First(), flagMemoryFile)
	}
	items, err := memory.Open(ctx.String(flagMemoryFile))
	if err != nil {
		return err
	}
	if !ctx.Bool("all") {
		items = memory.Current(items)
	}
	var out strings.Builder
	for _, item := range items {
		if ctx.IsSet(flagOwner) && item.Owner != ctx.String(flagOwner) {
			continue
		}
		fmt.Fprintf(&out, "%s\t%s\t%.10s\t%s\n", visible(item.ID), visible(item.Owner), item.Time, visible(item.Text))
	}
	_, err = fmt.Fprint(c.out, out.String())
	return err
}

// visible is a text of others on one line, without control characters.
func visible(text string) string { return strings.Trim(fmt.Sprintf("%q", text), `"`) }

func (c *console) memoryFromCommand() *cli.Command {
	return &cli.Command{
		Name:   "from",
		Flags:  memoryFlags(oneConfigurationFlag(), datasetFlag(), runsDirFlag()),
		Action: c.memoryFrom,
	}
}

func (c *console) memoryFrom(ctx *cli.Context) error {
	run, err := findRun(ctx, 1)
	if err != nil {
		return err
	}
	names := make([]string, len(run.Manifest.Configurations))
	for i, conf := range run.Manifest.Configurations {
		names[i] = conf.Name
	}
	name := ctx.String(flagConfiguration)
	if name == "" && len(names) == 1 {
		name = names[0]
	}
	if !slices.Contains(names, name) {
		return usagef("run %s has the configurations %s: name one with --%s", run.Manifest.Run, strings.Join(names, ", "), flagConfiguration)
	}
	owners := map[string]string{}
	if !ctx.IsSet(flagOwner) {
		data, _, err := runner.Reopen(run.Manifest, ctx.String(flagDataset))
		if err != nil {
			return err
		}
		for _, q := range data.Queries {
			owners[q.ID] = q.Owner
		}
	}
	items, err := memory.From(run.Manifest, name, run.Records(), func(query string) string {
		if ctx.IsSet(flagOwner) {
			return ctx.String(flagOwner)
		}
		return owners[query]
	})
	if err != nil {
		return err
	}
	return c.addMemory(ctx, func(have []memory.Item) ([]memory.Item, error) { return memory.Without(items, have), nil })
}
