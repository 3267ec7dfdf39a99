package flags

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/cmd/concur/completion"
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

// Out returns the flag --out.
func Out(at *string) cli.Flag {
	return &cli.StringFlag{
		Name: NameOut, TakesFile: true, Destination: at, EnvVars: []string{"CONCUR_OUT"},
		Usage: "write the result to `FILE` instead of standard output; its ending, such as .json, says the format " +
			"if --format does not",
		Action: formatOfName,
	}
}

// endings maps the endings of names to the formats that such files have.
var endings = map[string]string{
	".html": "html", ".htm": "html", ".json": "json", ".csv": "csv", ".md": "markdown", ".xml": "junit",
}

// formatOfName sets --format to the format that the name of the result's file says, if --format is not given. It
// returns an error if the command does not have this format.
func formatOfName(c *cli.Context, file string) error {
	format := endings[strings.ToLower(filepath.Ext(file))]
	if format == "" || c.IsSet(NameFormat) || c.Command == nil {
		return nil
	}
	for _, f := range c.Command.Flags {
		words, is := f.(*completion.WordFlag)
		switch {
		case !is || words.Name != NameFormat:
		case slices.Contains(words.Words, format):
			return c.Set(NameFormat, format)
		default:
			return fmt.Errorf("--out %s: concur %s has no format %s: change the ending, or add --format with one of %s",
				file, c.Command.Name, format, strings.Join(words.Words, ", "))
		}
	}
	return nil
}
