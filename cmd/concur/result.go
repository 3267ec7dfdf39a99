package main

import (
	"cmp"
	"context"
	"slices"

	"github.com/seed-5817661a/concur/cmd/concur/console"
)

// withOutput returns an action that gets its output. Before the action begins, it checks that the output file
// can be written.
func withOutput(c *console.Console, given *arguments, result *resultOptions, action func(context.Context,
	*console.Output) error,
	inputs ...*string) func(context.Context) error {
	return func(ctx context.Context) error {
		o := &console.Output{Format: result.format, File: result.out, Stdout: c.Out, Environ: c.Environ}
		read := append(slices.Clone(given.words), "concur.yaml")
		for _, input := range inputs {
			read = append(read, *input)
		}
		if err := result.check(read...); err != nil {
			return err
		}
		return action(ctx, o)
	}
}

// withRun returns an action that runs traces. Signals end the run in order.
func withRun(c *console.Console, given *arguments, result *resultOptions, action func(context.Context,
	*console.Output) error,
	inputs ...*string) func(context.Context) error {
	return withOutput(c, given, result, func(ctx context.Context, o *console.Output) error {
		o.Signals = c.Listen()
		defer o.Signals.Stop()
		return action(ctx, o)
	}, inputs...)
}

// check returns an error if a file for a result cannot be used, see console.CheckOut.
func (r *resultOptions) check(inputs ...string) error {
	return cmp.Or(console.CheckOut(flagOut, r.out, inputs), console.CheckOut(flagJunit, r.junit, inputs),
		console.CheckOut(flagMarkdown, r.markdown, inputs))
}
