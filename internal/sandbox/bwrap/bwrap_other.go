//go:build !linux

package bwrap

import (
	"context"
	"runtime"

	"github.com/seed-5817661a/concur/internal/sandbox"
)

// New returns an error: bubblewrap needs Linux.
func New(context.Context, Options) (sandbox.Engine, error) {
	return nil, &sandbox.StartError{Engine: Name, Cause: "bubblewrap needs Linux, and this is " + runtime.GOOS,
		Remedy: "use docker or podman"}
}
