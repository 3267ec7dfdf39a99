package secret_test

import (
	"encoding/base64"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/internal/secret"
)

// A short secret is hidden as a word of its own, if it cannot be an ordinary word or number.
func TestShort(t *testing.T) {
	for _, c := range []struct{ secret, text, want string }{
		{"ab1", "it is ab1", "it is ab1"},
		{"k9zq", "key=k9zq&q=1", "key=[API key]&q=1"}, {"k9zq", `{"key":"K9ZQ"}`, `{"key":"[API key]"}`}, {"k9zq", "k9zq", "[API key]"},
		{"k9zq", "key%3Dk9zq", "key%3D[API key]"}, {"k9zq", `"key\u003dk9zq\nk9zq"`, `"key\u003d[API key]\n[API key]"`},
		{"k9zq", "%6b9zq k%39zq", "[API key] [API key]"}, {"p!4s", "p%214s p!4s", "[API key] [API key]"},
		{"k9zq", "xk9zq k9zqx 1k9zq k9zq2", "xk9zq k9zqx 1k9zq k9zq2"}, {"k9zq", "k 9 z q, k-9-z-q, qz9k", "k 9 z q, k-9-z-q, qz9k"},
		{"sk-1", "task-1 disk-12 sk-1", "task-1 disk-12 [API key]"}, {"sk-1234", "the key sk-1234 is wrong", "the key [API key] is wrong"},
		{"s3cret", "Basic " + base64.StdEncoding.EncodeToString([]byte("user:s3cret")), "Basic dXNlcjp[API key]Q="},
		{"s3cret", base64.StdEncoding.EncodeToString([]byte("s3cret")), "[API key]"}, {"p4ßw", "p4ßw", "[API key]"},
	} {
		if got := secret.New(c.secret).Hide(c.text); got != c.want {
			t.Errorf("Hide(%q) of %q = %q, want %q", c.text, c.secret, got, c.want)
		}
	}
	for _, word := range []string{"", "a", "abc", "none", "EMPTY", "ollama", "no-key", "n/a", "not_set", "schön", "4711", "3.14", "12:30", "2026-11", "10MB",
		"50%", "1,000km", "----", "?!?!", "a1b2", "ca11", "A1B2C"} {
		if secret.CanHide(word) || secret.New(word).Hide("x "+word+" y") != "x "+word+" y" {
			t.Errorf("%q is hidden", word)
		}
	}
	for _, key := range []string{"k9zq", "sk-1", "a1b2c3", "p4ss", "12!4", "hunter22", "aaaaaaaa"} {
		if !secret.CanHide(key) || secret.New(key).Hide("x "+key+" y") == "x "+key+" y" {
			t.Errorf("%q is not hidden", key)
		}
	}
}

// A short secret is also hidden in pieces of a text, as live replies have them.
func TestShortInPieces(t *testing.T) {
	h := secret.New("k9zq")
	whole := "so k9zq, " + strings.Repeat("and k9zq ", 20)
	want := h.Hide(whole)
	for n := range len(whole) {
		if first := h.Complete(h.Hide(whole[:n])); !strings.HasPrefix(want, first) {
			t.Errorf("of the first %d bytes, %q is shown; of all, %q", n, first, want)
		}
	}
}
