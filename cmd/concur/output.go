package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/runner/store"
)

// output is where a command's result goes, and in which form.
type output struct {
	bytes.Buffer // the result, until it is whole
	format       string
	file         string
	stdout       io.Writer
}

// withOutput runs an action with its output. With --format json, standard output is one
// valid document even where the action fails.
func (c *console) withOutput(ctx *cli.Context, action func(*output) error) error {
	o := &output{format: ctx.String(flagFormat), file: ctx.String(flagOut), stdout: c.out}
	if o.format != "table" && o.format != "json" {
		return usagef("--format %q is not known: table or json", o.format)
	}
	err := action(o)
	if err != nil && o.format == "json" && o.file == "" {
		return o.fail(err)
	}
	return err
}

// write builds the result and then delivers it at once.
func (o *output) write(build func() error) error {
	if err := build(); err != nil {
		return err
	}
	if o.file != "" {
		return store.WriteFile(o.file, o.Bytes())
	}
	if _, err := o.WriteTo(o.stdout); err != nil {
		return fmt.Errorf("write result to standard output: %w", err)
	}
	return nil
}

// fail puts an error document where the result would have been.
func (o *output) fail(cause error) error {
	raw, err := json.Marshal(struct {
		Schema string `json:"schema"`
		Error  string `json:"error"`
		Code   int    `json:"exit_code"`
	}{"concur/error/v1", cause.Error(), exitCode(cause)})
	if err != nil {
		return err
	}
	if _, err := o.stdout.Write(append(raw, '\n')); err != nil {
		return fmt.Errorf("%w; writing it to standard output failed too: %w", cause, err)
	}
	return cause
}

// planned is what --dry-run shows.
type planned struct {
	Schema        string   `json:"schema"`
	Dataset       string   `json:"dataset"`
	Queries       int      `json:"queries"`
	K             int      `json:"k"`
	Model         string   `json:"model"`
	Tools         []string `json:"tools"`
	Seed          int64    `json:"seed"`
	Traces        int      `json:"traces"`
	MaxModelCalls int      `json:"max_model_calls"`
	MaxToolCalls  int      `json:"max_tool_calls"`
}

func (o *output) plan(p planned) error {
	if o.format == "json" {
		raw, err := json.MarshalIndent(p, "", "  ")
		if err != nil {
			return err
		}
		o.Write(append(raw, '\n'))
		return nil
	}
	fmt.Fprintf(o, `dataset      %s, %d queries
model        %s
tools        %s
seed         %d
traces       %d (K=%d)
model calls  %d to %d: what the agent does decides
tool calls   at most %d
`, p.Dataset, p.Queries, p.Model, strings.Join(p.Tools, ", "), p.Seed, p.Traces, p.K, p.Traces, p.MaxModelCalls, p.MaxToolCalls)
	return nil
}
