package fetch_test

import (
	"context"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/seed-5817661a/concur/internal/fetch"
)

func TestRedact(t *testing.T) {
	for _, c := range []struct{ text, secret, want string }{
		{"key=abc", "abc", "key=REDACTED"},
		{"a b a+b a%20b a%2520b a%252520b", "a b", "REDACTED REDACTED REDACTED REDACTED REDACTED"},
		{"%2F%2f%61", "//a", "REDACTED"},
		{`say \"x\"`, `"x"`, "say REDACTED"},
		{"100%", "%", "100REDACTED"},
		{"%", "x", "%"}, {"%2", "/", "%2"}, {"", "x", ""}, {"abc", "", "abc"},
		{"schlüssel schl%C3%BCssel", "schlüssel", "REDACTED REDACTED"},
	} {
		if got := fetch.Redact(c.text, c.secret); got != c.want {
			t.Errorf("Redact(%q, %q) = %q, want %q", c.text, c.secret, got, c.want)
		}
	}
	if got := fetch.Redact("abcdef", "abc", "abcdef"); got != "REDACTED" {
		t.Errorf("the rest of a longer secret shows: %q", got)
	}
}

func TestNoSpellingOfASecretIsLeft(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		secret := rapid.StringMatching(`[ -~é]{4,30}`).Draw(r, "secret")
		for _, spelling := range []string{secret, url.QueryEscape(secret), url.PathEscape(secret), strings.ToLower(url.QueryEscape(secret)), url.QueryEscape(url.QueryEscape(secret)), hexed(secret), unquoted(secret)} {
			if strings.ToLower(spelling) == spelling && strings.ToLower(secret) != secret {
				continue // lowering changed the secret itself
			}
			if got := fetch.Redact("<"+spelling+">", secret); got != "<"+fetch.Mark+">" {
				r.Fatalf("%q of %q gives %q", spelling, secret, got)
			}
		}
	})
}

func hexed(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		fmt.Fprintf(&b, "%%%02X", s[i])
	}
	return b.String()
}

// TestErrorsHoldNoSecret sends keys to where every kind of error arises.
func TestErrorsHoldNoSecret(t *testing.T) {
	const key = "s3/cr+et"
	c, _ := client(t, fetch.Options{AllowPrivate: true, Retries: -1})
	for _, u := range []string{
		"http://127.0.0.1:1/?key=" + url.QueryEscape(key), "http://h/\x00?key=" + key, "http://[" + key + "]/", "http://" + url.PathEscape(key) + "/", "ftp://" + key,
	} {
		_, err := c.Do(context.Background(), fetch.Request{URL: u, Secrets: []string{key}})
		if err == nil {
			t.Errorf("%q was reached", u)
			continue
		}
		text := fmt.Sprintf("%v %+v %#v", err, err, err)
		if strings.Contains(err.Error(), "cr") || strings.Contains(text, key) {
			t.Errorf("%q: %s", u, text)
		}
	}
}

func unquoted(s string) string {
	q := strconv.Quote(s)
	return q[1 : len(q)-1]
}
