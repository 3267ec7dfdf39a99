package answer

import (
	"net/url"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/seed-5817661a/concur/internal/lazy"
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
var fence = lazy.Compile("^(`{3,}|~{3,})[^`]*$")

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

// entityName takes what does not tell names apart from one: initialisms lose their
// points, a leading article goes when more than one word remains. All other punctuation
// inside stays, so that C, C# and C++ are three names. It is empty for marks alone.
func entityName(s string) string {
	name := s
	for range maxPasses {
		// Removing points can join letters that Unicode composes.
		next, _ := clean(dropArticle(collapseInitialisms(name)))
		if next == name {
			break
		}
		name = next
	}
	if strings.Trim(name, " .,;:!?\"'*_`()[]{}。、") == "" {
		return ""
	}
	return name
}

// dropArticle removes a leading article. It leaves the first of two ("a a milne",
// "la la land") and a lone word after one ("the who"), which are more likely part
// of the name.
func dropArticle(s string) string {
	at := article().FindStringSubmatchIndex(s)
	if at == nil || vocabulary().has("article", s[at[2]:at[3]]) || strings.HasPrefix(s[at[2]:], "l'") {
		return s
	}
	return s[at[2]:]
}

// article is one at the start, with the first of several words behind it.
var article = expression(`^(?:l'|`, ` )([\pL\pM\p{Nd}][^ ]*) `, "article")

// initials is a run of single letters, each but the last followed by a point, that stands
// apart: u.s. and j. r. r. tolkien, but not a.name.
var initials = lazy.Compile(`(^|[^\pL\pM\p{Nd}'])(\pL\.(?: ?\pL\.)*(?: ?\pL)?)($|[^\pL\pM\p{Nd}'.])`)

// collapseInitialisms turns "u.s." into "us" and "j. r. r. tolkien" into "jrr tolkien".
func collapseInitialisms(s string) string {
	for _, at := range slices.Backward(initials.FindAllStringSubmatchIndex(s, -1)) {
		s = s[:at[4]] + strings.NewReplacer(".", "", " ", "").Replace(s[at[4]:at[5]]) + s[at[5]:]
	}
	return s
}
