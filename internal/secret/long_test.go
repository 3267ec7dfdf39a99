package secret_test

import (
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/internal/secret"
)

// Long texts are redacted as short ones are.
func TestRedactLong(t *testing.T) {
	around := []string{"%", "%.", "My key is %, keep it.", "x=%", "(%)", "\"%\"", "é%é", "Authorization: Bearer %\nnext", "basic  %", "a %\t%", "word %word", "key:%;", "bearer, %", "bearer\n%", "the bearer %"}
	texts := append(keysOfKinds(), "AbcdeFghij0123KlmnO456", "0123456789abcdef0123456789abcdef", "extraordinarily", "sha256:AbcdeFghij0123KlmnO456xyzAB",
		"ordinary-hyphenated-words-here", "https://example.org/a/b?c=AbcdeFghij0123KlmnO456", "dXNlcjpwYXNzd29yZHdvcmQ", "")
	for _, key := range texts {
		for _, form := range around {
			text := strings.ReplaceAll(form, "%", key)
			if got, want := secret.RedactLong(text), secret.Redact(text); got != want {
				t.Errorf("%q:\n got %q\nwant %q", text, got, want)
			}
		}
	}
}

func BenchmarkRedactLong(b *testing.B) {
	text := strings.Repeat("You are an agent that answers questions. Use the tools, cite documents as [wiki_1], and end with Answer: on its own line.\n", 40)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		secret.RedactLong(text)
	}
}
