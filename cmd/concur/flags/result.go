package flags

import (
	"cmp"
	"context"
	"slices"

	"github.com/seed-5817661a/concur/cmd/concur/console"
)

// WithOutput returns an action that gets its output. Before the action begins, it checks that the output file
// can be written.
func WithOutput(c *console.Console, given *Arguments, result *ResultOptions, action func(context.Context,
	*console.Output) error,
	inputs ...*string) func(context.Context) error {
	return func(ctx context.Context) error {
		o := &console.Output{Format: result.Format, File: result.Out, Stdout: c.Out, Environ: c.Environ}
		read := append(slices.Clone(given.Words), "concur.yaml")
		for _, input := range inputs {
			read = append(read, *input)
		}
		if err := result.Check(read...); err != nil {
			return err
		}
		return action(ctx, o)
	}
}

// WithRun returns an action that runs traces. Signals end the run in order.
func WithRun(c *console.Console, given *Arguments, result *ResultOptions, action func(context.Context,
	*console.Output) error,
	inputs ...*string) func(context.Context) error {
	return WithOutput(c, given, result, func(ctx context.Context, o *console.Output) error {
		o.Signals = c.Listen()
		defer o.Signals.Stop()
		return action(ctx, o)
	}, inputs...)
}

// Check returns an error if a file for a result cannot be used, see console.CheckOut.
func (r *ResultOptions) Check(inputs ...string) error {
	return cmp.Or(console.CheckOut(NameOut, r.Out, inputs), console.CheckOut(NameJunit, r.Junit, inputs),
		console.CheckOut(NameMarkdown, r.Markdown, inputs))
}
