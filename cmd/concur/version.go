package main

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/cmd/concur/console"
	"github.com/seed-5817661a/concur/cmd/concur/flags"
)

// version and commit are set by the Makefile. If they are not, as after `go install`, versionOf takes Go's
// build information.
var version, commit string

// These texts are printed if nothing is known about the build.
const (
	unknownVersion = "devel"
	unknownCommit  = "unknown"
)

func init() {
	info, _ := debug.ReadBuildInfo()
	version, commit = versionOf(version, commit, info)
}

// versionOf returns the version and the commit of a build. If they are not set, it takes them from Go's build
// information. info may be nil.
func versionOf(version, commit string, info *debug.BuildInfo) (string, string) {
	recorded := map[string]string{}
	module := ""
	if info != nil {
		for _, setting := range info.Settings {
			recorded[setting.Key] = setting.Value
		}
		if info.Main.Version != "(devel)" { // not in a checkout without versions
			module = info.Main.Version
		}
	}
	revision := recorded["vcs.revision"]
	if revision != "" && recorded["vcs.modified"] == "true" {
		revision += ", modified"
	}
	return cmp.Or(version, module, unknownVersion), cmp.Or(commit, revision, unknownCommit)
}

func printVersion(c *console.Console) error {
	_, err := fmt.Fprintf(c.Out, "concur %s (commit %s, %s, %s/%s)\n", version, commit, runtime.Version(),
		runtime.GOOS, runtime.GOARCH)
	return err
}

func versionCommand(c *console.Console) *cli.Command {
	var given flags.Arguments
	return &cli.Command{
		Name:  "version",
		Usage: "print version, commit and platform",
		Action: flags.Takes(&given, "", func(context.Context) error {
			return printVersion(c)
		}),
	}
}
