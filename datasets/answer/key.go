package answer

import (
	"fmt"
	"math/big"
	"net/url"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/seed-5817661a/concur/datasets/resultset"
	"github.com/seed-5817661a/concur/internal/lazy"
	"github.com/seed-5817661a/concur/internal/value"
)

// Confidence says how reliable a key is.
type Confidence string

// The levels of confidence.
const (
	// Exact means that the answer has one reading.
	Exact Confidence = "exact"
	// Ambiguous means that the answer has several readings. Such an answer matches no gold. If one of the
	// answers that agree is ambiguous, the stage "exact" of the consensus does not accept them.
	Ambiguous Confidence = "ambiguous"
)

// The flags of a key. They do not change the key.
const (
	FlagUnit      = "unit"      // a unit or noun after the number was dropped
	FlagCurrency  = "currency"  // a currency sign was dropped
	FlagBare      = "bare"      // the percent sign, currency or unit of the type is missing
	FlagWords     = "words"     // a number was written in words
	FlagInvisible = "invisible" // the answer had invisible characters, which only code keeps: it may be an attack
)

// Key is the typed canonical form of an answer. Two answers are votes for the same class if their Key strings
// are equal and neither is [Ambiguous].
//
// The string is a tag, a colon and a body:
//
//	int:42  num:157/50       a number, of type integer or decimal
//	pct:1/2  pp:5            50 percent, 5 percentage points
//	approx:~5  lt:<5  le:≤5  gt:>5  ge:≥5  range:5..7
//	cur:USD:1200000          an amount of a currency of ISO 4217
//	qty:9/2:m·s^-1           a value in base units, and its dimension; 1 means no dimension
//	date:1969-07-20          also 1969-07 and 1969; 44 BC is -0043
//	time:14:30               a time of day; 09:00..17:00 is a range of two
//	bool:true  choice:A,C  entity:…  text:…  code:…
//	list:{int:6|entity:…} sorted; [ ] instead of { } if the order counts
//	table:[[1,"a"],[2,null]]  rows as JSON, sorted unless their order counts; of many rows a hash
//	premise:denied           an answer that denies the false premise of its question
//	ambiguous:…              the cleaned answer, which has several readings
type Key struct {
	Key        string
	Type       Type
	Confidence Confidence
	Flags      []string

	elements []Key       // elements of a list, in the order of its key
	value    value.Value // value of a number or date
	table    resultset.Table
}

// Elements returns the elements of a list in the order of its key: numbers with the
// type decimal, names with the type entity. It is nil for any other type.
func (k Key) Elements() []Key { return slices.Clone(k.elements) }

// Canonical returns the key in the form of an answer that a person could have written. Normalize gives this
// answer the same key.
func (k Key) Canonical() string {
	switch {
	case k.Type == Table && k.Key != deniedKey:
		return k.table.JSON()
	case k.elements != nil: // bullets, because their text is not split further
		var bullets []string
		for _, e := range k.elements {
			bullets = append(bullets, "- "+e.Canonical())
		}
		return strings.Join(bullets, "\n")
	case k.value.Kind == value.Time:
		return strings.Replace(k.value.Clock.String(), "..", " to ", 1)
	case k.value.Kind == value.Date:
		return string(k.value.Relation) + k.value.Date.String()
	case k.value.Kind != value.None:
		return canonicalNumber(k.value)
	}
	_, body, _ := strings.Cut(k.Key, ":")
	return body
}

// keyOf returns the key of a number or a date.
func keyOf(v value.Value) Key {
	tag, body := "date", v.Date.String()
	if v.Kind == value.Time {
		k := exactly("time", v.Clock.String())
		k.value = v
		return k
	}
	if v.Kind != value.Date {
		tag, body = numberKey(v)
	}
	if v.Relation != value.Equal {
		tag = relationTags[v.Relation]
		if v.Kind == value.Date {
			body = string(v.Relation) + body
		} else {
			body = canonicalNumber(v)
		}
	}
	k := exactly(tag, body)
	k.value = v
	return k
}

// numberKey returns the tag and the body of the key of a number without a relation.
func numberKey(v value.Value) (tag, body string) {
	n := v.Low.Rat
	switch v.Kind {
	case value.Money:
		return "cur", v.Currency.Code() + ":" + n.RatString()
	case value.Quantity:
		return "qty", v.Low.Base().RatString() + ":" + v.Low.Dim().String()
	case value.Percent:
		return "pct", new(big.Rat).Quo(n, big.NewRat(100, 1)).RatString()
	case value.Points:
		return "pp", n.RatString()
	}
	if n.IsInt() {
		return "int", n.RatString()
	}
	return "num", n.RatString()
}

// canonicalNumber writes a number with its relation in a form that can be read again.
func canonicalNumber(v value.Value) string {
	return written(v, func(n value.Number) string {
		if v.Kind == value.Quantity && !n.Dim().Plain() {
			return n.Base().RatString() + " " + n.Dim().String()
		}
		return n.Rat.RatString()
	})
}

// written writes a number with its relation, currency and percent sign. bare writes the number itself.
func written(v value.Value, bare func(value.Number) string) string {
	number := func(n value.Number) string {
		switch v.Kind {
		case value.Money:
			return v.Currency.Name() + " " + bare(n)
		case value.Percent:
			return bare(n) + "%"
		case value.Points:
			return bare(n) + " pp"
		}
		return bare(n)
	}
	if v.Relation == value.Between {
		return number(v.Low) + string(value.Between) + number(v.High)
	}
	return string(v.Relation) + number(v.Low)
}

// relationTags has the tags of numbers with a relation.
var relationTags = map[value.Relation]string{value.Approx: "approx", value.Less: "lt", value.AtMost: "le",
	value.More: "gt", value.AtLeast: "ge", value.Between: "range"}

// maxTable is the maximum length of a table in bytes. A result set may be longer than an answer of a message.
const maxTable = 16 << 20

// tableKey returns the key of a table.
func tableKey(raw string, o Options) (Key, error) {
	if len(raw) > maxTable {
		return Key{}, fmt.Errorf("not a table of at most 16 MiB: it has %d bytes", len(raw))
	}
	t, err := resultset.Parse(valid(raw))
	if err != nil {
		return Key{}, err
	}
	k := exactly("table", t.Key(o.Ordered))
	k.Type, k.table = Table, t
	return k, nil
}

// codeText prepares code for comparison. In program text, an identifier or a URL, every character matters, and
// so does the case. So codeText only normalises the composition of characters (NFC) and line ends, and removes
// white space, a code fence or backticks around the whole text.
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

// fence matches the first line of a code block, which may name a language.
var fence = lazy.Compile("^(`{3,}|~{3,})[^`]*$")

// cutFence removes one pair of marks around a whole text: a fence that only the last line closes, or the same
// number of backticks at both ends.
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

// usualURL returns one form for equivalent URLs. Scheme and host are in lower case. The scheme's default port,
// the fragment and slashes at the end of the path are removed. So are the parameters utm_…, which only say
// where a reader came from. It returns any other text unchanged.
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

// entityName removes differences that do not distinguish names: the points of initialisms, and a leading
// article if more than one word follows. It keeps all other punctuation inside a name, so that C, C# and C++
// are three names. It returns "" for a text that consists only of marks.
func entityName(s string) string {
	name := s
	for range maxPasses {
		// After points are removed, letters that are now neighbours may be composed by Unicode, so the text is
		// cleaned again.
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

// dropArticle removes a leading article. It keeps the first of two articles ("a a milne", "la la land") and an
// article before a single word ("the who"), because they are probably part of the name.
func dropArticle(s string) string {
	at := article().FindStringSubmatchIndex(s)
	if at == nil || vocabulary().has("article", s[at[2]:at[3]]) || strings.HasPrefix(s[at[2]:], "l'") {
		return s
	}
	return s[at[2]:]
}

// article matches a leading article, and the first of several words after it.
var article = expression(`^(?:l'|`, ` )([\pL\pM\p{Nd}][^ ]*) `, "article")

// initials matches a run of single letters. Each letter except the last must have a point after it, and the run
// must not be part of a longer word: u.s. and j. r. r. tolkien, but not a.name.
var initials = lazy.Compile(`(^|[^\pL\pM\p{Nd}'])(\pL\.(?: ?\pL\.)*(?: ?\pL)?)($|[^\pL\pM\p{Nd}'.])`)

// collapseInitialisms turns "u.s." into "us" and "j. r. r. tolkien" into "jrr tolkien".
func collapseInitialisms(s string) string {
	for _, at := range slices.Backward(initials.FindAllStringSubmatchIndex(s, -1)) {
		s = s[:at[4]] + strings.NewReplacer(".", "", " ", "").Replace(s[at[4]:at[5]]) + s[at[5]:]
	}
	return s
}
