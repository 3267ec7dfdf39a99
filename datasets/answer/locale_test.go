package answer_test

import (
	"testing"

	"github.com/seed-5817661a/concur/datasets/answer"
)

// TestLocales: a locale decides what figures leave open, in golds and in votes; without one nothing changes.
func TestLocales(t *testing.T) {
	for _, c := range []struct {
		typ              answer.Type
		locale, raw, key string
	}{
		{answer.Integer, "de", "1.000", "int:1000"}, {answer.Integer, "", "1.000", "int:1"}, {answer.Integer, "en", "1.000", "int:1"},
		{answer.Decimal, "fr", "12,345", "num:2469/200"}, {answer.Decimal, "", "12,345", "int:12345"},
		{answer.Date, "de", "03.04.2024", "date:2024-04-03"}, {answer.Date, "en-US", "03/04/2024", "date:2024-03-04"},
		{answer.Date, "", "03/04/2024", "ambiguous:03/04/2024"}, {answer.Currency, "es", "1.500 €", "cur:EUR:1500"},
		{answer.Quantity, "it", "1,500 kg", "qty:3/2:kg"}, {answer.List, "de", "1.000; 2,500", "list:{int:1000|num:5/2}"},
		{answer.Text, "de", "1.000", "text:1.000"},
	} {
		k, err := answer.Normalize(c.raw, c.typ, answer.Options{Locale: c.locale})
		if err != nil || k.Key != c.key {
			t.Errorf("%s %s %q: %q (%v), want %q", c.locale, c.typ, c.raw, k.Key, err, c.key)
			continue
		}
		if again, err := answer.Normalize(k.Canonical(), c.typ, answer.Options{Locale: c.locale}); c.typ != answer.Text && c.key[0] != 'a' && (err != nil || again.Key != k.Key) {
			t.Errorf("%q: its canonical form %q is %q (%v)", c.raw, k.Canonical(), again.Key, err)
		}
	}
}

// TestLocaleOfWriter: the agent's locale comes before that of the gold, that before the language of the message.
func TestLocaleOfWriter(t *testing.T) {
	const asked = "Wie viele Bücher hat die Bibliothek in der Stadt?"
	for _, c := range []struct {
		typ                      answer.Type
		text, writer, gold, want string
	}{
		{answer.Integer, "Antwort: 1.200", "", "", "1200"},
		{answer.Integer, "Antwort: 1.200", "en", "", "1.200"},
		{answer.Integer, "Antwort: 1.200", "", "de", "1.200"},
		{answer.Decimal, "Answer: 1.250", "en", "de", "1,250"},
		{answer.Decimal, "Answer: 1.250", "de", "en", "1250"},
		{answer.Date, "Antwort: 03.04.2024", "", "", "2024-04-03"},
		{answer.Date, "Antwort: 03/04/2024", "en-US", "de", "2024-03-04"},
		{answer.Date, "Antwort: 03.04.2024", "de", "de", "03.04.2024"},
	} {
		m := answer.Message{Text: c.text, Question: asked, Locale: c.writer, Read: c.gold}
		if got := m.Extract(c.typ); got.Short != c.want {
			t.Errorf("%q by %q for a gold of %q is read as %+v, want %q", c.text, c.writer, c.gold, got, c.want)
		}
	}
}
