package tooling

import (
	"context"
	"fmt"
	"io"

	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/reports/document"
	"github.com/seed-5817661a/concur/tool/api/fixtures"
)

// Check runs a tool's file on the cases of a file or folder, and on the bad replies that are made of the first case. It
// prints what each case gave, and returns the number of wrong ones.
func Check(ctx context.Context, out io.Writer, file, path string) (wrong int, err error) {
	f, err := Open(file)
	if err != nil {
		return 0, err
	}
	cases, err := fixtures.Load(fixtures.Find(path, file))
	if err != nil {
		return 0, err
	}
	for i, c := range cases {
		o := fixtures.Run(ctx, "tool", f, c)
		if i == 0 && o.Kind != "" {
			o.Problems = append(o.Problems, "the first case must succeed, because bad replies are made of it: "+
				"write one that does before it")
		}
		fmt.Fprintln(out, document.Printable(describe(o)))
		wrong += printProblems(out, o)
	}
	bad := 0
	made := fixtures.Derive(f, cases[0])
	for _, c := range made {
		o := fixtures.Run(ctx, "tool", f, c)
		if len(o.Problems) > 0 {
			fmt.Fprintln(out, document.Printable(describe(o)))
			bad += printProblems(out, o)
		}
		if err := ctx.Err(); err != nil {
			return wrong + bad, err
		}
	}
	fmt.Fprintf(out, "%d of %s right; %d of %d bad replies, made of the first case, fail as they must\n",
		len(cases)-wrong, text.Counted(len(cases), "case"), len(made)-bad, len(made))
	return wrong + bad, nil
}

// describe says what a case gave.
func describe(o fixtures.Outcome) string {
	said := fmt.Sprintf("%s: %s, %s", o.Case, o.Short(), text.Counted(len(o.Requests), "request"))
	if o.Passed > 0 {
		said += fmt.Sprintf("; %s gave no document", text.Counted(o.Passed, "row"))
	}
	return said
}

// printProblems prints the differences of a case, and returns 1 if it has some.
func printProblems(out io.Writer, o fixtures.Outcome) int {
	for _, problem := range o.Problems {
		fmt.Fprintln(out, "  WRONG: "+document.Printable(problem))
	}
	return min(1, len(o.Problems))
}
