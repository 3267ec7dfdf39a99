package trace_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/trace"
)

// A stopped run is resumed from trace.jsonl, so writing and reading the file must not lose any part of a
// trace.
func TestATraceSurvivesItsFile(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		count := rapid.IntRange(0, 1000)
		want := trace.Trace{
			ID:         trace.ID{Agent: "a", Query: rapid.StringMatching(`[a-z0-9-]{1,9}`).Draw(t, "query"), Trace: count.Draw(t, "trace")},
			Outcome:    rapid.SampledFrom(trace.Outcomes()).Draw(t, "outcome"),
			StopReason: trace.Final, Message: rapid.String().Draw(t, "message"), Extract: "line",
			Supporting: rapid.SliceOf(rapid.String()).Draw(t, "supporting"),
			Steps:      count.Draw(t, "steps"), ToolCalls: count.Draw(t, "tool calls"), ModelCalls: count.Draw(t, "model calls"),
			Usage:    model.Usage{InputTokens: count.Draw(t, "in"), OutputTokens: count.Draw(t, "out"), CachedTokens: count.Draw(t, "cached")},
			Format:   trace.Format{Errors: count.Draw(t, "errors"), Repaired: count.Draw(t, "repaired"), Invented: count.Draw(t, "invented"), Dropped: count.Draw(t, "dropped")},
			Cause:    rapid.String().Draw(t, "cause"),
			Rejected: rapid.String().Draw(t, "rejected"),

			Grounded:  rapid.Ptr(rapid.Bool(), true).Draw(t, "grounded"),
			Grounding: trace.Grounding{Claims: count.Draw(t, "claims"), Supported: count.Draw(t, "supported"), Citations: count.Draw(t, "citations"), Valid: count.Draw(t, "valid")},
		}
		if want.Outcome == trace.Answered {
			want.Answer = rapid.String().Draw(t, "answer")
		}
		line, err := json.Marshal(trace.Event{ID: want.ID, Body: want.Conclusion()})
		if err != nil {
			t.Fatal(err)
		}
		var e trace.Event
		if err := json.Unmarshal(line, &e); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, e.Body.(trace.Conclusion).Trace(e.ID)); diff != "" {
			t.Errorf("-written +read:\n%s", diff)
		}
	})
}
