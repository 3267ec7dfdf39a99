package replay_test

import (
	"testing"

	"github.com/seed-5817661a/concur/runner/replay"
	"github.com/seed-5817661a/concur/tool"
)

// TestNoDeadlineBoundsARecording checks that a replayed tool has a deadline only if the inner tool may be
// run; then it is the inner tool's.
func TestNoDeadlineBoundsARecording(t *testing.T) {
	for _, c := range []struct {
		name    string
		inner   tool.Tool
		missing bool
		own     bool
	}{
		{"recorded", library{}, false, true},
		{"asked where the recording has none", library{}, true, false},
		{"pure", sum{}, false, false},
	} {
		tl := replay.Tool{Inner: c.inner, Missing: c.missing}
		if own := tl.Spec().OwnDeadline; own != c.own {
			t.Errorf("%s: %t, want %t", c.name, own, c.own)
		}
	}
}
