package otel_test

import (
	"crypto/sha256"
	"fmt"
	"testing"

	"github.com/seed-5817661a/concur/reports/otel"
	"github.com/seed-5817661a/concur/trace"
)

// Ids are hashes of the quoted parts of a place, whatever characters these have. They never change, so that a run that
// is sent again, by another version of concur, replaces its spans.
func TestIDsOfPlaces(t *testing.T) {
	d := otel.New(manifest(), otel.Options{})
	for _, id := range []string{"q1", "", "a b/c", `say "no"`, `back\slash`, "Fluß", "tab\t", "\x7f", "a\xffb", "~", " "} {
		ofQuery := sha256.Sum256(fmt.Appendf(nil, `concur/otel/v1 "r" "three" %q`, id))
		place := fmt.Sprintf(`"r" "three" %q / trace %q / agent "inner#1" / tool %q`, id, agent+" 2", "inner#1 4 "+id)
		ofSpan := sha256.Sum256([]byte("concur/otel/span/v1 " + place))
		want := fmt.Sprintf("00-%x-%x-01", ofQuery[:16], ofSpan[:8])
		if got := d.CallPlace(trace.ID{Agent: agent, Query: id, Trace: 2}, "inner#1", 4, id).Traceparent(); got != want {
			t.Errorf("%q: %s, want %s", id, got, want)
		}
	}
}
