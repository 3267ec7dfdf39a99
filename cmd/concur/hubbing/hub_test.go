package hubbing

import (
	"testing"

	"github.com/seed-5817661a/concur/runner/hub/coordinator"
)

func TestHubNote(t *testing.T) {
	if note := hubNote(coordinator.Counts{}); note != "" {
		t.Errorf("note without trouble: %q", note)
	}
	n := coordinator.Counts{Doubled: 2, Refused: 1, Early: 5}
	if note := hubNote(n); note != "hub: 2 doubled results dropped, 1 result refused" {
		t.Errorf("note %q", note)
	}
}
