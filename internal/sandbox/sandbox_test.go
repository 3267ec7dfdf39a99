package sandbox_test

import (
	"testing"
	"time"

	"github.com/seed-5817661a/concur/internal/sandbox"
)

func TestLimitsThatAreNotSet(t *testing.T) {
	want := sandbox.Defaults()
	want.Time, want.Files = time.Second, 5
	if got := (sandbox.Limits{Time: time.Second, Files: 5}).Or(sandbox.Defaults()); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

func TestStartErrorHasTheRemedy(t *testing.T) {
	err := &sandbox.StartError{Engine: "bwrap", Cause: "it is not installed", Remedy: "apt-get install bubblewrap"}
	if want := "sandbox bwrap: it is not installed: apt-get install bubblewrap"; err.Error() != want {
		t.Errorf("%q, want %q", err, want)
	}
}
