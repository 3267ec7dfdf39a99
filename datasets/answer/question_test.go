package answer_test

import (
	"testing"

	"github.com/seed-5817661a/concur/datasets/answer"
)

// TestRestated reads the time or the place behind the words of the question, and none where two are possible or the
// sentence is about something else.
func TestRestated(t *testing.T) {
	for _, c := range []struct {
		as                      answer.Type
		question, message, want string
	}{
		{answer.Date, "When does the shop open?", "The shop opens at 9:00 and closes at 18:00.", "9:00"},
		{answer.Date, "When does the shop close?", "The shop opens at 9:00 and closes at 18:00.", "18:00"},
		{answer.Date, "When does the shop close?", "The shop opens at 9:00 and the bar closes at 18:00.", ""},
		{answer.Date, "When does the shop open?", "The shop opens at 9:00, or at 10:00 on Sundays.", ""},
		{answer.Date, "When does the shop open?", "It opens at 9:00. On Sundays it opens at 10:00.", ""},
		{answer.Date, "When does the shop open?", "The shop should open at 9:00, but the shop opens at 9:30.", ""},
		{answer.Date, "When was the bridge opened?", "2한nd31. August Answer:", ""},
		{answer.Entity, "Where is the bridge?", "The bridge is probably in Lyon.", "Lyon"},
		{answer.Entity, "Where is the bridge?", "The bridge is near Lyon in France.", "Lyon"},
		{answer.Entity, "Where is the bridge?", "The shop near the bridge is in Lyon.", ""},
		{answer.Entity, "Where is the bridge?", "The old bridge is in Lyon, the new bridge is in Vienne.", ""},
		{answer.Entity, "Where is the bridge?", "The bridge is in Lyon and Vienne.", ""},
		{answer.Entity, "Where is the bridge?", "The bridge was in Lyon but was moved to Vienne.", ""},
		{answer.Entity, "Where is the bridge?", "The bridge is in a bad state.", ""},
		{answer.Entity, "Where is the bridge?", "The bridge is in use.", ""},
		{answer.Entity, "Where was Ada born?", "Ada was born in 1815 in London.", "London"},
		{answer.Entity, "Where did Ada die?", "Ada was born in London and died in Paris.", "Paris"},
		{answer.Entity, "Where did Ada die?", "Ada married Bob in Rome and Bob died in Paris.", ""},
		{answer.Entity, "Where does she work?", "She works at night in Rome.", "Rome"},
		{answer.Entity, "Where is the U.S. Embassy?", "The U.S. Embassy is in St. Petersburg.", "St. Petersburg"},
	} {
		if got := answer.Extract(c.message, c.question, c.as).Short; got != c.want {
			t.Errorf("%q for %q is read as %q, want %q", c.message, c.question, got, c.want)
		}
	}
}
