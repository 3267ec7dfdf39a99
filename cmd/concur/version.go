package main

import (
	"fmt"
	"runtime"

	"github.com/urfave/cli/v2"
)

// Stamped in by the Makefile.
var (
	version = "devel"
	commit  = "unknown"
)

func (c *console) versionCommand() *cli.Command {
	return &cli.Command{
		Name:         "version",
		Usage:        "print version, commit and platform",
		OnUsageError: usageError,
		Action:       func(*cli.Context) error { return c.printVersion() },
	}
}

func (c *console) printVersion() error {
	_, err := fmt.Fprintf(c.out, "concur %s (commit %s, %s, %s/%s)\n", version, commit, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return err
}
