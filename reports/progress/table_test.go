package progress_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/reports/document"
	"github.com/seed-5817661a/concur/reports/progress"
	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/store"
)

var (
	noon     = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)
	underway = []runner.Progress{half, {Configuration: "none yet", Queries: 400, InFlight: 8}}
	paid     = 1.234
	half     = runner.Progress{
		Configuration: "full", Queries: 400, Tally: store.Tally{Correct: 150, Incorrect: 48, Unscored: 2, Tokens: 1_234_567, USD: &paid},
		PassRate: &runner.RateSoFar{Value: 0.75, Low: 0.686, High: 0.805}, InFlight: 24, Ends: noon.Add(754 * time.Second),
		LastError: "model \x1b[31mgpt\x1b[0m: 503\n try later",
	}
)

func TestProgressTable(t *testing.T) {
	for columns, want := range map[int]string{
		80: `
configuration     done   right so far  wrong  unscored  in flight   cost   left
───────────────────────────────────────────────────────────────────────────────
full           200/400  75 % [69, 80]     48         2         24  $1.23  12:34
none yet         0/400              –      0         –          8      –      –
last error of full: model [31mgpt [0m: 503 try later
`,
		60: `
configuration     done   right so far  wrong   left
`,
		24: `
configuration     done …
`,
	} {
		lines, err := progress.Table(underway, noon, document.Screen{Width: columns})
		if err != nil {
			t.Fatal(err)
		}
		n := strings.Count(want, "\n") - 1
		if diff := cmp.Diff(strings.Split(strings.Trim(want, "\n"), "\n"), lines[:min(n, len(lines))]); diff != "" {
			t.Errorf("%d columns (-want +got):\n%s", columns, diff)
		}
		tooWide := func(l string) bool { return len([]rune(l)) > columns }
		if len(lines) != 5 || slices.ContainsFunc(lines, tooWide) {
			t.Errorf("%d columns:\n%s", columns, strings.Join(lines, "\n"))
		}
	}
}

func TestProgressLine(t *testing.T) {
	for _, c := range []struct {
		of   runner.Progress
		want string
	}{
		{half, "full: done 200/400, right so far 75 % [69, 80], wrong 48, unscored 2, in flight 24, tokens 1235k, cost $1.23, left 12:34, last error: model [31mgpt [0m: 503 try later"},
		{runner.Progress{Configuration: "attacked", Queries: 9, PassRate: half.PassRate, Tally: store.Tally{Incorrect: 2}, Attack: true},
			"attacked: done 2/9, in flight 0, tokens 0"},
		{underway[1], "none yet: done 0/400, wrong 0, in flight 8, tokens 0"},
	} {
		if got := progress.FormatLine(c.of, noon); got != c.want {
			t.Errorf("got  %q\nwant %q", got, c.want)
		}
	}
}
