package preparing

import (
	"bytes"
	"cmp"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/ablations/suspects"
	"github.com/seed-5817661a/concur/cmd/concur/console"
	"github.com/seed-5817661a/concur/cmd/concur/flags"
	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/datasets/queries"
	"github.com/seed-5817661a/concur/internal/text"
	statements "github.com/seed-5817661a/concur/judge/execution"
	"github.com/seed-5817661a/concur/reports/document"
	"github.com/seed-5817661a/concur/reports/judging"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/store"
)

func datasetsCheck(ctx context.Context, c *console.Console, given *datasetsCheckOptions, o *console.Output) error {
	const shown = 50 // warnings; one frequent rule must not hide the others
	set, found, err := queries.Lint(given.Word(0), shown)
	if err != nil {
		return err
	}
	defer set.Close() // a temporary file that cannot be removed is no reason to fail
	if o.Format == console.FormatJSON && len(given.from) == 0 {
		return console.Usagef("datasets check --format json: only the golds that --from finds have that form: " +
			"add --from RUN, or leave it out")
	}
	c.TellReading(set.Notes)
	if o.Format != console.FormatJSON {
		var b bytes.Buffer
		err := describeDataset(&b, set)
		describeFindings(&b, found)
		_, wrong := io.WriteString(c.Out, console.ScreenOf(c.Out, c.Environ, 0).Fold(b.String()))
		if err := cmp.Or(err, wrong); err != nil {
			return err
		}
	}
	if err := checkStatements(ctx, c, set); err != nil {
		return err
	}
	wrong := 0
	if len(given.from) > 0 {
		wrong, err = datasetsSuspects(c, given, o, set)
	}
	switch {
	case err != nil || !given.strict || wrong+found.Len() == 0:
		return err
	case wrong > 0:
		return console.Usagef("datasets check --strict: %s", text.Counted(wrong, "probably wrong gold"))
	}
	return console.Usagef("datasets check --strict: %s", text.Counted(found.Len(), "warning"))
}

// checkStatements executes the golds that are statements, if concur.yaml declares the database and it can be opened.
func checkStatements(ctx context.Context, c *console.Console, set *queries.Set) error {
	if len(set.Executed()) == 0 {
		return nil
	}
	file, err := (&flags.Settings{}).FromFile(config.New())
	if err != nil {
		return console.Usagef("%w", err)
	}
	var wrong []error
	noted := false
	for _, err := range leaves(c.Assembler.CheckGolds(ctx, set, file.Configuration)) {
		if _, unavailable := errors.AsType[*statements.UnavailableError](err); !unavailable {
			wrong = append(wrong, err)
		} else if !noted {
			noted = true
			c.Note("golds with statements were not executed: " + document.Printable(err.Error()))
		}
	}
	if len(wrong) > 0 {
		return console.Usagef("%w", errors.Join(wrong...))
	}
	return nil
}

// leaves returns the errors that were joined to one; nil for nil.
func leaves(err error) (out []error) {
	joined, several := err.(interface{ Unwrap() []error })
	if err == nil || !several {
		return slices.DeleteFunc([]error{err}, func(err error) bool { return err == nil })
	}
	for _, e := range joined.Unwrap() {
		out = append(out, leaves(e)...)
	}
	return out
}

// datasetsSuspects prints the golds that are probably wrong, according to the answers of runs.
func datasetsSuspects(c *console.Console, given *datasetsCheckOptions, o *console.Output, set *queries.Set,
) (found int, err error) {
	d, err := set.Load()
	if err != nil {
		return 0, err
	}
	var runs []*store.Run
	for _, name := range given.from {
		run, err := c.FindRun(given.runsDir, name)
		if err != nil {
			return 0, console.Usagef("--from: %w", err)
		}
		runs = append(runs, run)
	}
	r, err := suspects.Find(d, runs)
	if err != nil {
		return 0, console.Usagef("datasets check --from: %w", err)
	}
	return len(r.Suspects), console.WriteValue(o, r, judging.WriteSuspects)
}

// describeFindings prints the first findings and the number of findings of each rule, so that a frequent rule
// does not hide the others.
func describeFindings(w io.Writer, found *datasets.Findings) {
	for _, f := range found.First {
		fmt.Fprintln(w, f)
	}
	if n := found.Len(); n > 0 {
		more := ""
		if n > len(found.First) {
			more = fmt.Sprintf("; the first %d are shown", len(found.First))
		}
		fmt.Fprintf(w, "%s: %s%s\n", text.Counted(n, "warning"), found.Rules(), more)
	}
}

//go:embed help/datasets-check.txt
var datasetsCheckHelp string

// datasetsCheckOptions holds the arguments and flags of concur datasets check.
type datasetsCheckOptions struct {
	flags.Arguments
	flags.ResultOptions

	strict  bool
	from    []string
	runsDir string
}

func datasetsCheckCommand(c *console.Console) *cli.Command {
	var given datasetsCheckOptions
	return &cli.Command{
		Name: "check", ArgsUsage: "DATASET", Description: flags.Described(datasetsCheckHelp),
		Usage: "check a dataset and report all errors and doubtful golds",
		Flags: []cli.Flag{
			&cli.BoolFlag{
				Name: "strict", Destination: &given.strict,
				Usage: "exit with 2 if there are warnings or golds that are probably wrong",
			},
			&cli.StringSliceFlag{
				Name: flags.NameFrom, TakesFile: true, Action: flags.Listed(flags.NameFrom, &given.from),
				Usage: "look for wrong golds by the answers of `RUNS`",
			},
			flags.Choice(&given.Format, &cli.StringFlag{
				Name:  flags.NameFormat,
				Usage: "with --from: `FORMAT` of the list: table, json",
			}, "table", "json"),
			flags.RunsDir(&given.runsDir),
		},
		Action: flags.Takes(&given.Arguments, "one dataset: a file, or one of "+strings.Join(datasets.Builtin(), ", "),
			flags.WithOutput(c, &given.Arguments, &given.ResultOptions, func(ctx context.Context, o *console.Output) error {
				return datasetsCheck(ctx, c, &given, o)
			})),
	}
}
