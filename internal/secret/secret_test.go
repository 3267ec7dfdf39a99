package secret_test

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/seed-5817661a/concur/internal/secret"
)

func TestHide(t *testing.T) {
	const key = "sk-test/0123+456"
	for _, c := range []struct{ text, secret, want string }{
		{"wrong key " + key + ", " + key, key, "wrong key [API key], [API key]"},
		{"it is 12345678", "12345678", "it is [API key]"},
		{"ollama is up", "ollama", "ollama is up"}, // a placeholder
		{"a long b a+long+b a%20long%20b a%2520long%2520b", "a long b", "[API key] [API key] [API key] [API key]"},
		{"sk%2Dtest%2f0123%2b456", key, "[API key]"},
		{"sk-test%2F0123%2B456", key, "[API key]"},
		{`{"k":"sk\u002dtest\u002F0123\u002B456"}`, key, `{"k":"[API key]"}`},
		{`sk-test\/0123+456`, key, "[API key]"},
		{"sk-test/0123", key, "sk-test/0123"},
		{"schlüssel schl%C3%BCssel", "schlüssel", "[API key] [API key]"},
		{"100%", key, "100%"}, {"%2", key, "%2"}, {"", key, ""}, {"text", "", "text"},
	} {
		if got := secret.New(c.secret).Hide(c.text); got != c.want {
			t.Errorf("Hide(%q) of %q = %q, want %q", c.text, c.secret, got, c.want)
		}
	}
	if got := secret.New("abcdefgh", "abcdefghijk").Hide("abcdefghijk"); got != "[API key]" {
		t.Errorf("the rest of a longer secret shows: %q", got)
	}
	if got := (*secret.Hider)(nil).Hide("text"); got != "text" {
		t.Errorf("nobody's secret: %q", got)
	}
}

// Whatever the encoding and wherever the secret stands in what was encoded, no eight
// characters of it can be read back.
func TestNoSpellingOfASecretIsLeft(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		key := rapid.StringMatching(`[ -~é]{8,30}`).Draw(r, "secret")
		before := rapid.StringMatching(`[ -~]{0,9}`).Draw(r, "before")
		h := secret.New(key)
		for _, spelling := range []string{
			key, url.QueryEscape(key), url.PathEscape(key), url.QueryEscape(url.QueryEscape(key)), escaped("%%%02X", key), escaped("%%%02x", key),
			escaped(`\u%04x`, key), escaped(`\u%04X`, key), escaped(`\\u%04x`, key), unquoted(key), hex.EncodeToString([]byte(key)), strings.ToUpper(hex.EncodeToString([]byte(key))),
		} {
			if strings.Contains(spelling, `\u00e9`) || strings.Contains(spelling, `\u00E9`) {
				continue // a character beyond ASCII is one escape there, and two bytes of the secret
			}
			if got := h.Hide("«" + spelling + "»"); got != "«"+secret.Mark+"»" {
				r.Fatalf("%q of %q gives %q", spelling, key, got)
			}
		}
		for _, encoding := range []*base64.Encoding{base64.StdEncoding, base64.URLEncoding, base64.RawStdEncoding, base64.RawURLEncoding} {
			text := encoding.EncodeToString([]byte(before + key + "\n"))
			if got := h.Hide(text); !strings.Contains(got, secret.Mark) || len(got)-len(secret.Mark) > len(text)-len(key)*4/3+3 {
				r.Fatalf("%q before %q: %q is left as %q", before, key, text, got)
			}
		}
	})
}

func escaped(format, s string) string {
	var b strings.Builder
	for i := range len(s) {
		fmt.Fprintf(&b, format, s[i])
	}
	return b.String()
}

func unquoted(s string) string {
	q := strconv.Quote(s)
	return q[1 : len(q)-1]
}

func TestBearerInBase64(t *testing.T) {
	const key = "sk-test-0123456789abcdef"
	for _, text := range []string{"Bearer " + key, "user:" + key, "x-api-key: " + key} {
		got := secret.New(key).Hide(base64.StdEncoding.EncodeToString([]byte(text)))
		for part := range strings.SplitSeq(got, secret.Mark) {
			if raw, _ := base64.RawStdEncoding.DecodeString(part); strings.Contains(string(raw), "test") {
				t.Errorf("%q is left as %q", text, got)
			}
		}
		if !strings.Contains(got, secret.Mark) {
			t.Errorf("%q is left as %q", text, got)
		}
	}
}

// What Complete gives of a text is the same whatever follows.
func TestComplete(t *testing.T) {
	const key = "sk/test 0123"
	h := secret.New(key)
	asJSON, err := json.Marshal(key)
	if err != nil {
		t.Fatal(err)
	}
	for _, spelling := range []string{
		key, url.QueryEscape(key), escaped("%%%02X", key), escaped(`\u%04x`, key), string(asJSON), fmt.Sprintf("%X", key),
		base64.StdEncoding.EncodeToString([]byte("Bearer " + key)), base64.URLEncoding.EncodeToString([]byte(key)),
	} {
		whole := "so " + spelling + "!"
		want := h.Hide(whole)
		for n := range len(whole) {
			if first := h.Complete(h.Hide(whole[:n])); !strings.HasPrefix(want, first) {
				t.Errorf("%q of %q shows %q", whole[:n], whole, first)
			}
		}
		if got := h.Complete(want); got != want {
			t.Errorf("%q is held back: %q", want, got)
		}
	}
}

func BenchmarkHide(b *testing.B) {
	h := secret.New("sk-test-0123456789abcdef0123456789abcdef")
	text := strings.Repeat("The quick brown fox jumps over the lazy dog, 50% of the time. ", 1000)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		h.Hide(text)
	}
}
