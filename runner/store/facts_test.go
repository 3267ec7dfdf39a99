package store_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/runner/store"
)

func TestJoinedFacts(t *testing.T) {
	a := store.AgentFacts{Models: []string{"m1"}, Requests: []string{"r2"}, Unset: []string{"x"}, Beyond: "b", Sent: "s"}
	b := store.AgentFacts{Models: []string{"m0", "m1"}, Requests: []string{"r1", "r2"}, Beyond: "b", Sent: "t"}
	got, other := a.Joined(b), b.Joined(a)
	if diff := cmp.Diff(got, other); diff != "" {
		t.Errorf("the order of runs matters:\n%s", diff)
	}
	if !slices.Equal(got.Models, []string{"m0", "m1"}) || got.Sent == "s" ||
		!slices.Equal(got.Requests, []string{"r1", "r2"}) {
		t.Errorf("%+v", got)
	}
}
