package text

import (
	"testing"

	"pgregory.net/rapid"
)

// A plain text has the form and the way back that it has beside one that is not.
func TestMapPlain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringOf(rapid.RuneFrom([]rune("aZ09 \t\n\r\v\f.,*-/^$}\x00\x1c\x1f\x7f"))).Draw(t, "text")
		f := Form(rapid.IntRange(0, 31).Draw(t, "form"))
		plain, with := Map(s, f), Map(s+"…", f)
		n := len(with.String) - len("...")
		for n > 0 && (with.String[n-1] == ' ' || with.String[n-1] == '\n') {
			n--
		}
		if plain.String != with.String[:n] {
			t.Fatalf("%q is %q, want %q", s, plain.String, with.String[:n])
		}
		for i := range n {
			from, to := plain.Source(i, i+1)
			if wantFrom, wantTo := with.Source(i, i+1); from != wantFrom || to != wantTo {
				t.Fatalf("%q: byte %d from %d to %d, want %d to %d", s, i, from, to, wantFrom, wantTo)
			}
		}
	})
}
