//go:build !linux

package confine

import (
	"context"
	"runtime"

	"github.com/seed-5817661a/concur/internal/sandbox"
	"github.com/seed-5817661a/concur/internal/sandbox/bwrap"
)

// New returns an error: bubblewrap needs Linux.
func New(context.Context, Command, func(string) string) (Program, error) {
	return Program{}, &sandbox.StartError{Engine: bwrap.Name, Cause: "bubblewrap needs Linux, and this is " + runtime.GOOS,
		Remedy: "run concur in a virtual machine with Linux"}
}
