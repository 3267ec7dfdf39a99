package fetch

import (
	"slices"
	"strings"
)

// Mark stands where a secret was.
const Mark = "REDACTED"

// Redact replaces every secret in text by Mark, be it written raw, percent-encoded (also
// twice over), query-escaped or with a quoted string's backslashes.
func Redact(text string, secrets ...string) string {
	secrets = slices.DeleteFunc(slices.Clone(secrets), func(s string) bool { return s == "" })
	if len(secrets) == 0 {
		return text
	}
	// A secret that begins like another one must not hide only the other's part of it.
	slices.SortStableFunc(secrets, func(a, b string) int { return len(b) - len(a) })
	var out strings.Builder
	for i := 0; i < len(text); {
		if n := matchAny(text[i:], secrets); n > 0 {
			out.WriteString(Mark)
			i += n
			continue
		}
		out.WriteByte(text[i])
		i++
	}
	return out.String()
}

func matchAny(text string, secrets []string) int {
	for _, s := range secrets {
		if n := match(text, s); n > 0 {
			return n
		}
	}
	return 0
}

// match gives the length of the secret's longest spelling at the beginning of text, or 0.
// A % may be itself or begin an escape, so several readings are followed at once.
func match(text, secret string) int {
	ends := []int{0}
	for i := 0; i < len(secret) && len(ends) > 0; i++ {
		var next []int
		for _, at := range ends {
			for _, n := range spellings(text[at:], secret[i]) {
				if !slices.Contains(next, at+n) {
					next = append(next, at+n)
				}
			}
		}
		ends = next
	}
	if len(ends) == 0 {
		return 0
	}
	return slices.Max(ends)
}

// spellings gives the lengths of what can stand for c at the beginning of text: c, %XX,
// %25XX, %2525XX, + for a space, and \ before c.
func spellings(text string, c byte) []int {
	var out []int
	if text == "" {
		return nil
	}
	if text[0] == c || text[0] == '+' && c == ' ' {
		out = append(out, 1)
	}
	if text[0] == '\\' && len(text) > 1 && text[1] == c && strings.IndexByte(`"\/'`, c) >= 0 {
		out = append(out, 2)
	}
	for at := 1; text[0] == '%' && at <= 5 && at+2 <= len(text); at += 2 {
		if isHex(text[at:at+2], c) || c == ' ' && isHex(text[at:at+2], '+') {
			out = append(out, at+2)
		}
		if text[at:at+2] != "25" {
			break
		}
	}
	return out
}

func isHex(digits string, c byte) bool {
	const hex = "0123456789abcdef"
	lower := strings.ToLower(digits)
	return lower[0] == hex[c>>4] && lower[1] == hex[c&15]
}
