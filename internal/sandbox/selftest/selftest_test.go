package selftest_test

import (
	"context"
	"os"
	"testing"

	"github.com/seed-5817661a/concur/internal/sandbox"
	"github.com/seed-5817661a/concur/internal/sandbox/sandboxtest"
	"github.com/seed-5817661a/concur/internal/sandbox/selftest"
)

func TestBwrapHoldsAll(t *testing.T) {
	engine := sandboxtest.Bwrap(t, os.Getenv, sandbox.Python)
	findings, err := selftest.Run(context.Background(), engine, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if len(findings) < 15 {
		t.Errorf("%d findings: %+v", len(findings), findings)
	}
	for _, f := range findings {
		if !f.Holds {
			t.Errorf("%s: %s", f.Bound, f.Detail)
		}
	}
}
