// Package sandboxtest has what the tests of sandboxes share.
package sandboxtest

import (
	"testing"

	"github.com/seed-5817661a/concur/internal/sandbox"
	"github.com/seed-5817661a/concur/internal/sandbox/bwrap"
)

// Bwrap returns an engine of bubblewrap with interpreters for languages. getenv is os.Getenv. Where it cannot start,
// the test is skipped with a message, or fails if CONCUR_SANDBOX_TESTS is "required", as in .ci/run.
// CONCUR_NO_SANDBOX_TESTS skips always.
func Bwrap(t testing.TB, getenv func(string) string, languages ...string) sandbox.Engine {
	t.Helper()
	if getenv("CONCUR_NO_SANDBOX_TESTS") != "" {
		t.Skip("CONCUR_NO_SANDBOX_TESTS is set")
	}
	engine, err := bwrap.New(t.Context(), bwrap.Options{Languages: languages, Getenv: getenv})
	if err != nil {
		if getenv("CONCUR_SANDBOX_TESTS") == "required" {
			t.Fatal(err)
		}
		t.Skipf("%v (this test needs bubblewrap)", err)
	}
	t.Cleanup(func() { _ = engine.Close() }) // it has no files
	return engine
}
