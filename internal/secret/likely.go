package secret

import (
	_ "embed"
	"fmt"
	"math"
	"regexp"
	"strings"
	"sync"

	"github.com/seed-5817661a/concur/internal/lazy"
	"github.com/seed-5817661a/concur/internal/text"
)

//go:embed prefixes.tsv
var prefixTable string

// known matches keys by their usual prefixes, not inside a longer word, also after the words that headers put
// before them.
var known = sync.OnceValue(func() *regexp.Regexp {
	var forms []string
	for _, row := range text.Rows(prefixTable, 2) {
		forms = append(forms, row[0])
	}
	return regexp.MustCompile(`(?:^|[^A-Za-z0-9_-])(` + strings.Join(forms, "|") +
		`)|(?i:\b(?:bearer|basic) +)([A-Za-z0-9+/=_.~-]{12,})`)
})

// Likely returns the parts of a text that begin like a key.
func Likely(text string) []string {
	var out []string
	for _, m := range known().FindAllStringSubmatchIndex(text, -1) {
		for i := 2; i < len(m); i += 2 {
			if m[i] >= 0 {
				out = append(out, text[m[i]:m[i+1]])
			}
		}
	}
	return out
}

// Redact replaces the parts of a text that Likely and Random return with Mark.
func Redact(text string) string {
	for _, part := range append(Likely(text), Random(text)...) {
		text = strings.ReplaceAll(text, part, Mark)
	}
	return text
}

// The limits for Random.
const (
	leastRandom  = 20   // characters
	leastBits    = 3.5  // bits of entropy per character; English has about 4.1 in long texts, and fewer in 20 characters
	leastChanges = 0.35 // share of neighbours of different kinds, see changes; random letters and digits have 0.44
)

var (
	token = lazy.Compile(`[A-Za-z0-9]+`)
	// honest matches digests with the name of their algorithm, and content ids of IPFS.
	honest = lazy.Compile(`(?i)\b(?:sha[0-9]{1,3}|md5|h1|blake2b|blake3)[-:=][A-Za-z0-9+/=_-]+|` +
		`\bQm[1-9A-HJ-NP-Za-km-z]{44}\b`)
)

// Random returns the parts of a text that look random: they mix capitals, small letters and digits in a way
// that names and paths do not. It excludes hashes in hex, UUIDs and named digests. It is a guess.
func Random(text string) []string {
	var out []string
	for _, part := range token.FindAllString(honest.ReplaceAllString(text, " "), -1) {
		if len(part) >= leastRandom && changes(part) >= leastChanges && entropy(part) >= leastBits {
			out = append(out, part)
		}
	}
	return out
}

// changes returns the share of neighbouring characters of different kinds (capitals, small letters, digits).
// A small letter after a capital is not counted, as in CamelCase. It returns 0 unless all three kinds occur.
func changes(s string) float64 {
	kind := func(c byte) int {
		switch {
		case isDigit(c):
			return 0
		case c >= 'a':
			return 1
		}
		return 2
	}
	var seen [3]bool
	n := 0
	for i := range len(s) {
		seen[kind(s[i])] = true
		if i > 0 && kind(s[i]) != kind(s[i-1]) && !(kind(s[i]) == 1 && kind(s[i-1]) == 2) {
			n++
		}
	}
	if seen != [3]bool{true, true, true} {
		return 0
	}
	return float64(n) / float64(len(s)-1)
}

// entropy returns the Shannon entropy of the characters of a text, in bits.
func entropy(s string) float64 {
	var counts [256]int
	for i := range len(s) {
		counts[s[i]]++
	}
	bits := 0.0
	for _, n := range counts {
		if n > 0 {
			p := float64(n) / float64(len(s))
			bits -= p * math.Log2(p)
		}
	}
	return bits
}

// named matches the names of variables that hold keys.
var named = lazy.Compile(`(?i)(?:^|_)(?:api_?key|key|token|secret|passw(?:or)?d|pass|` +
	`credentials?|pat|bearer)(?:_?[0-9]+)?(?:_(?:key|token|secret|id))?$`)

// Named reports whether a variable's name is usual for a key: OPENAI_API_KEY, GITHUB_TOKEN.
func Named(variable string) bool { return named.MatchString(variable) }

// leastValue is the length of the shortest value of such a variable that counts as a key: shorter ones are
// placeholders.
const leastValue = 12

// OfEnvironment returns the values of variables, each NAME=value, whose names are usual for keys and whose
// values are not plain words.
func OfEnvironment(variables []string) []string {
	var out []string
	for _, v := range variables {
		name, value, _ := strings.Cut(v, "=")
		value = strings.TrimSpace(value)
		if Named(name) && len(value) >= leastValue && !Plain(value) {
			out = append(out, value)
		}
	}
	return out
}

// plain matches words, numbers, paths, and addresses without user and query.
var plain = lazy.Compile(`^(?:[A-Za-z]+(?:[ ._-][A-Za-z]+)*|[0-9.,:-]+|(?:\.{0,2}|~)/[^?&=]*|` +
	`[A-Za-z]:\\.*|https?://[^@?&=]*)$`)

// Plain reports whether a value consists of words, or is a number, a path or an address, and has no part that
// looks like a key: DEBUG, 8080, ./data, http://127.0.0.1:8000.
func Plain(value string) bool {
	return plain.MatchString(value) && len(Likely(value)) == 0 && len(Random(value)) == 0
}

// OfVariable returns the value of a program's variable if it must be hidden, else nil. A plain or short value, such as
// gpt-4o, is hidden only if the variable's name is usual for a key, because hiding it would damage ordinary answers.
func OfVariable(name, value string) []string {
	if value = strings.TrimSpace(value); value == "" || !Named(name) && (len(value) < sure || Plain(value)) {
		return nil
	}
	return []string{value}
}

// Place returns the place where a command was given a key: the name of the flag, or of a variable that begins
// with CONCUR_; "" if there is no key. keys are the keys of the environment, which are found anywhere.
func Place(args, variables, keys []string, flag, variable string) string {
	h := New(keys...)
	holds := func(text string) bool { return len(Likely(text)) > 0 || h.Hide(text) != text }
	before := ""
	for i, arg := range args[min(1, len(args)):] {
		name, _, joined := strings.Cut(arg, "=")
		switch {
		case before == flag, joined && name == flag:
		case holds(arg):
			if joined && strings.HasPrefix(arg, "-") && !holds(name) {
				return name
			}
			if strings.HasPrefix(before, "-") && !holds(before) && !strings.Contains(before, "=") {
				return before
			}
			return fmt.Sprintf("argument %d", i+1)
		}
		before = arg
	}
	for _, v := range variables {
		name, value, _ := strings.Cut(v, "=")
		if strings.HasPrefix(name, "CONCUR_") && name != variable && holds(value) && !holds(name) {
			return name
		}
	}
	return ""
}
