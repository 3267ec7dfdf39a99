package answer_test

import (
	"testing"

	"github.com/seed-5817661a/concur/datasets/answer"
)

// TestFramed checks what a frame must not read, and what it reads of names.
func TestFramed(t *testing.T) {
	for _, c := range []struct{ question, message, want string }{
		{"Wer baute das Haus am See?", "Das Haus am See wurde von Karl Etzel bewohnt.", ""},
		{"Wer baute das Haus am See?", "Das Haus am See wurde nicht von Karl Etzel gebaut.", ""},
		{"Wer baute das Haus am See?", "Das Haus am See wurde von der Firma Krupp gebaut.", ""},
		{"Wer baute das Haus am See?", "Das Haus am See wurde 1903 von Karl Etzel gebaut.", ""},
		{"Wer baute das Haus am See?", "Das Haus am See wurde von Karl von Etzel im Jahr 1903 gebaut.", "Karl von Etzel"},
		{"Qui a peint le plafond ?", "Le plafond fut restauré par Jean Petit.", ""},
		{"Qui a peint le plafond ?", "Le plafond fut peint par Jean Petit, de Lyon.", "Jean Petit"},
		{"Où se trouve le pont ?", "Le pont ne se trouve pas à Lyon.", ""},
		{"Qui a construit le pont ?", "Le pont se trouve à Lyon.", ""},
	} {
		if got := answer.Extract(c.message, c.question, answer.Entity); got.Short != c.want {
			t.Errorf("%s %s: %q, want %q", c.question, c.message, got.Short, c.want)
		}
	}
}

// TestSince checks that a year since which something holds is no answer to when it happens every day.
func TestSince(t *testing.T) {
	for _, c := range []struct{ question, message, want string }{
		{"When does the shop open?", "Since 2019 it opens at 9:00", "9:00"},
		{"When does the shop open?", "It has opened at 9:00 since 2019.", "9:00"},
		{"When did the shop move?", "Since 2019 it has been in Main Street, and it opens at 9:00.", "2019"},
		{"Since when has the shop been open?", "It has been open since 2019.", "2019"},
		{"Wann öffnet der Laden?", "Seit 2019 öffnet er um 9:00 Uhr.", ""},
	} {
		if got := answer.Extract(c.message, c.question, answer.Date); got.Short != c.want {
			t.Errorf("%s %s: %q, want %q (%s)", c.question, c.message, got.Short, c.want, got.Reason)
		}
	}
}
