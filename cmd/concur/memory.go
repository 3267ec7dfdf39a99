package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/reports"
	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/memory"
	"github.com/seed-5817661a/concur/runner/store"
)

func memoryAdd(ctx *cli.Context, w io.Writer) error {
	return addMemory(ctx, w, func(have []memory.Item) ([]memory.Item, error) {
		item := memory.Item{
			ID: cmp.Or(ctx.String("id"), memory.NewID(have)), Owner: ctx.String("owner"), Text: ctx.Args().First(),
			Time:   cmp.Or(ctx.String("time"), time.Now().UTC().Format(time.DateOnly)),
			Source: ctx.String("source"), Supersedes: ctx.String("supersedes"),
		}
		return []memory.Item{item}, item.Validate()
	})
}

func addMemory(ctx *cli.Context, w io.Writer, items func([]memory.Item) ([]memory.Item, error)) error {
	patient, cancel := context.WithTimeout(ctx.Context, 10*time.Second)
	defer cancel()
	added, err := memory.Add(patient, ctx.String("file"), items)
	if errors.Is(err, store.ErrHeld) {
		err = &exitError{exitInvalid, err}
	}
	if err != nil {
		return err
	}
	for _, item := range added {
		fmt.Fprintf(w, "added %s to %s\n", item.ID, ctx.String("file"))
	}
	if len(added) == 0 {
		fmt.Fprintf(w, "%s has them all\n", ctx.String("file"))
	}
	return nil
}

func memoryList(ctx *cli.Context, w io.Writer) error {
	items, err := memory.Open(ctx.String("file"))
	if err != nil {
		return err
	}
	if !ctx.Bool("all") {
		items = memory.Current(items)
	}
	for _, item := range items {
		if ctx.IsSet("owner") && item.Owner != ctx.String("owner") {
			continue
		}
		fmt.Fprintf(w, "%s\t%s\t%.10s\t%s\n", reports.Printable(item.ID), reports.Printable(item.Owner), item.Time, reports.Printable(item.Text))
	}
	return nil
}

func memoryFrom(ctx *cli.Context, w io.Writer) error {
	run, err := findRun(ctx)
	if err != nil {
		return err
	}
	if n := len(run.Manifest.Configurations); n > 1 && !ctx.IsSet(flagConfiguration) {
		return usagef("run %s has %d configurations: name one with --configuration", run.Manifest.Run, n)
	}
	records, _, err := chosen(ctx, run)
	if err != nil {
		return err
	}
	owners := map[string]string{}
	if ctx.IsSet("owner") {
		for _, r := range records {
			owners[r.Query] = ctx.String("owner")
		}
	} else if data, _, err := runner.Reopen(run.Manifest, ctx.String(flagDataset)); err == nil {
		for _, q := range data.Queries {
			owners[q.ID] = q.Owner
		}
	} else {
		return err
	}
	items := memory.From(run.Manifest, records, owners)
	return addMemory(ctx, w, func(have []memory.Item) ([]memory.Item, error) { return memory.Without(items, have), nil })
}
