package answer

import (
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// codeText is what any code goes through before it is looked at. Every character of program text, an identifier or a
// URL counts, letters by their case; only composition (NFC) and the form of line ends do not, nor white space and a
// code fence or backticks around the whole.
func codeText(raw string) string {
	text := strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(strings.ToValidUTF8(raw, "\uFFFD"))
	text = strings.TrimSpace(norm.NFC.String(text))
	for {
		inner := strings.TrimSpace(cutFence(text))
		if inner == text || inner == "" {
			return text
		}
		text = inner
	}
}

// fence opens a block of lines and may name a language.
var fence = regexp.MustCompile("^(`{3,}|~{3,})[^`]*$")

// cutFence removes one pair of marks around a whole text: a fence, which the last line
// closes and no line before does, or backticks alike in number at both ends.
func cutFence(s string) string {
	first, rest, several := strings.Cut(s, "\n")
	if opened := fence.FindStringSubmatch(first); several && opened != nil {
		lines := strings.Split(rest, "\n")
		closes := func(line string) bool {
			line = strings.TrimSpace(line)
			return len(line) >= len(opened[1]) && strings.Trim(line, opened[1][:1]) == ""
		}
		if end := slices.IndexFunc(lines, closes); end == len(lines)-1 {
			return strings.Join(lines[:end], "\n")
		}
	}
	inner := strings.TrimLeft(s, "`")
	marks := s[:len(s)-len(inner)]
	inner, paired := strings.CutSuffix(inner, marks)
	runs := strings.FieldsFunc(inner, func(r rune) bool { return r != '`' })
	if marks == "" || !paired || strings.HasSuffix(inner, "`") || slices.Contains(runs, marks) { // `a` and `b`
		return s
	}
	return inner
}

// usualURL writes a URL in one of its equal forms: scheme and host in small letters,
// without the scheme's own port, the fragment, slashes at the end of the path and the
// parameters utm_…, which say where a reader came from. Any other text stays as it is.
func usualURL(s string) string {
	u, err := url.Parse(s)
	if err != nil || u.Hostname() == "" || strings.ContainsFunc(s, notInURL) {
		return s
	}
	u.Host = strings.ToLower(u.Host)
	if vocabulary().has("port", u.Scheme+":"+u.Port()) {
		u.Host = strings.TrimSuffix(u.Host, ":"+u.Port())
	}
	u.Path, u.RawPath = strings.TrimRight(u.Path, "/"), strings.TrimRight(u.RawPath, "/")
	query := slices.DeleteFunc(strings.Split(u.RawQuery, "&"), func(parameter string) bool {
		return strings.HasPrefix(strings.ToLower(parameter), "utm_")
	})
	u.RawQuery, u.ForceQuery, u.Fragment = strings.Join(query, "&"), false, ""
	return u.String()
}

func notInURL(r rune) bool {
	return unicode.IsSpace(r) || unicode.IsControl(r) || strings.ContainsRune("\"<>`{}|\\^", r)
}
