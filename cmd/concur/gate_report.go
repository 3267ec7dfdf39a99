package main

import (
	"os"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/ablations/gate"
	"github.com/seed-5817661a/concur/reports"
)

// report puts a decision together with what people need beside it.
func (g *gating) report(out gate.Outcome) reports.Gate {
	return reports.GateOf(reports.GateParts{
		Run: g.Pass, Fresh: g.folders.Passes, Pool: g.Pool, Frozen: g.Frozen, Data: g.Data,
		Evidence: g.Evidence, Outcome: out, Baseline: g.file, As: g.as, Differs: g.Differs,
	})
}

// resultsApart refuses two results in one file, of which one would be lost.
func resultsApart(ctx *cli.Context) error {
	names := []string{flagOut, flagJUnit, flagMarkdown}
	for i, name := range names {
		for _, other := range names[:i] {
			a, b := ctx.String(name), ctx.String(other)
			if a != "" && b != "" && (samePath(a, b) || sameFile(a, b)) && !isDevice(a) {
				return usagef("--%s and --%s name the same file, %s: choose another for one of them", other, name, a)
			}
		}
	}
	return nil
}

// samePath reports whether two names of files, which need not be there, lead to one place.
func samePath(a, b string) bool {
	place := func(file string) string {
		dir, err := resolved(filepath.Dir(file))
		if err != nil {
			dir = filepath.Dir(file)
		}
		return filepath.Join(dir, filepath.Base(file))
	}
	return place(a) == place(b)
}

// isDevice reports whether a file is no regular one, as /dev/null: nothing is lost in it.
func isDevice(file string) bool {
	info, err := os.Stat(file)
	return err == nil && !info.Mode().IsRegular()
}
