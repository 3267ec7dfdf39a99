//go:build !linux

package confine

import (
	"context"
	"runtime"

	"github.com/seed-5817661a/concur/internal/sandbox"
	"github.com/seed-5817661a/concur/internal/sandbox/bwrap"
)

// Check returns an error: bubblewrap needs Linux.
func (p Program) Check(context.Context, func(string) string) (Program, error) {
	return p, &sandbox.StartError{Engine: bwrap.Name, Cause: "bubblewrap needs Linux, and this is " + runtime.GOOS,
		Remedy: "run concur in a virtual machine with Linux"}
}
