package answer

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// codeText is what any code goes through before it is looked at. Every character of
// program text, an identifier or a URL counts, letters by their case; only composition
// (NFC) and the form of line ends do not, nor white space and a code fence or backticks
// around the whole.
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

// cutFence removes one pair of marks around a whole text: a fence of lines that begin
// with three backticks or tildes, or backticks alike in number at both ends.
func cutFence(s string) string {
	if inner, ok := cutFenceLines(s); ok {
		return inner
	}
	inner := strings.TrimLeft(s, "`")
	marks := s[:len(s)-len(inner)]
	inner, paired := strings.CutSuffix(inner, marks)
	if marks == "" || !paired || strings.HasSuffix(inner, "`") {
		return s
	}
	for _, run := range strings.FieldsFunc(inner, func(r rune) bool { return r != '`' }) {
		if run == marks {
			return s // `a` and `b`
		}
	}
	return inner
}

// cutFenceLines removes a fence. The line that opens it may name a language; the last
// line closes it, and no line before does.
func cutFenceLines(s string) (inner string, ok bool) {
	first, rest, several := strings.Cut(s, "\n")
	mark := first[:min(1, len(first))]
	language := strings.TrimLeft(first, mark)
	width := len(first) - len(language)
	if !several || mark != "`" && mark != "~" || width < 3 || strings.Contains(language, "`") {
		return "", false
	}
	lines := strings.Split(rest, "\n")
	for i, line := range lines {
		line = strings.TrimSpace(line)
		if len(line) >= width && strings.Trim(line, mark) == "" {
			return strings.Join(lines[:i], "\n"), i == len(lines)-1
		}
	}
	return "", false
}

// usualURL writes a URL in one of its equal forms: scheme and host in small letters,
// without the scheme's own port, the fragment, slashes at the end of the path and the
// parameters utm_…, which say where a reader came from. Any other text stays as it is.
func usualURL(s string) string {
	scheme, rest, ok := strings.Cut(s, "://")
	if !ok || !isScheme(scheme) || strings.ContainsFunc(s, notInURL) {
		return s
	}
	rest, _, _ = strings.Cut(rest, "#")
	rest, query, _ := strings.Cut(rest, "?")
	authority, path := rest, ""
	if i := strings.IndexByte(rest, '/'); i >= 0 {
		authority, path = rest[:i], strings.TrimRight(rest[i:], "/")
	}
	scheme = strings.ToLower(scheme)
	user, host := "", authority
	if i := strings.LastIndexByte(authority, '@'); i >= 0 {
		user, host = authority[:i+1], authority[i+1:]
	}
	host = strings.ToLower(host)
	if name, ok := strings.CutSuffix(host, defaultPort(scheme)); ok && (!strings.Contains(name, ":") || strings.HasSuffix(name, "]")) {
		host = name
	}
	if host == "" {
		return s
	}
	if query = withoutCampaign(query); query != "" {
		query = "?" + query
	}
	return scheme + "://" + user + host + path + query
}

func notInURL(r rune) bool {
	return unicode.IsSpace(r) || unicode.IsControl(r) || strings.ContainsRune("\"<>`{}|\\^", r)
}

// isScheme reports whether s is the name of a URL's scheme.
func isScheme(s string) bool {
	if s == "" {
		return false
	}
	for i, r := range s {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
		if !letter && (i == 0 || (r < '0' || r > '9') && !strings.ContainsRune("+-.", r)) {
			return false
		}
	}
	return true
}

func defaultPort(scheme string) string {
	switch scheme {
	case "http", "ws":
		return ":80"
	case "https", "wss":
		return ":443"
	case "ftp":
		return ":21"
	}
	return ""
}

// withoutCampaign drops the parameters utm_… from the query of a URL.
func withoutCampaign(query string) string {
	var kept []string
	for _, parameter := range strings.Split(query, "&") {
		if !strings.HasPrefix(strings.ToLower(parameter), "utm_") {
			kept = append(kept, parameter)
		}
	}
	return strings.Join(kept, "&")
}
