package answer

import (
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/datasets/premise"
	"github.com/seed-5817661a/concur/internal/lazy"
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/internal/value"
	"github.com/seed-5817661a/concur/trace"
)

// Version is the version of the normalisation rules. Every run records it: keys of different versions must not
// be compared.
const Version = "norm/v7"

// MaxBytes is the maximum length of an answer in bytes, before and after Unicode normalisation.
const MaxBytes = 64 << 10

// Type is the kind of an answer's value. It decides how the answer is read.
type Type string

// The known types.
const (
	Integer  Type = "integer"  // a whole number
	Decimal  Type = "decimal"  // a rational number
	Percent  Type = "percent"  // a rational number that carries a percent sign
	Currency Type = "currency" // a rational number with a percent sign
	Quantity Type = "quantity" // a number with a physical unit
	Date     Type = "date"     // a year, a month or a day, or a time of day
	Boolean  Type = "boolean"  // yes or no
	Choice   Type = "choice"   // one or more letters of offered options
	Entity   Type = "entity"   // a name
	List     Type = "list"     // several names
	Text     Type = "text"     // other text; case, space and outer punctuation do not matter
	Code     Type = "code"     // program text, an identifier, a URL: every character matters
	Table    Type = "table"    // rows of values, such as a result set; see package resultset
)

// Types returns the types in the order of the documentation.
func Types() []Type {
	return []Type{Integer, Decimal, Percent, Currency, Quantity, Date, Boolean, Choice, Entity, List, Text, Code, Table}
}

// ParseType returns the type with this name. The error lists the known names.
func ParseType(name string) (Type, error) {
	if slices.Contains(Types(), Type(name)) {
		return Type(name), nil
	}
	known := strings.Trim(strings.ReplaceAll(fmt.Sprint(Types()), " ", ", "), "[]")
	return "", fmt.Errorf("unknown answer type %q: use one of %s", name, known)
}

// Numeric reports whether answers of the type are numbers. Only these can have a [Tolerance].
func (t Type) Numeric() bool {
	return t == Integer || t == Decimal || t == Percent || t == Currency || t == Quantity
}

// Extraction is the place in the message where the answer was found.
type Extraction string

// The places of extraction.
const (
	FromLine     Extraction = "line"     // on the final-answer line
	FromFallback Extraction = "fallback" // guessed from the rest of the message
	FromNowhere  Extraction = "none"     // not found
)

// Final is the result of reading a final message.
type Final struct {
	Outcome trace.Outcome // answered, refused or abstained; no_answer if the message has no answer
	Short   string        // the short answer; "" unless Outcome is answered
	Extract Extraction
	// Reason says why there is no answer, or why the marked answer is not a value of the type and is returned
	// as written.
	Reason string
}

// Options control which answers a type accepts and how they are compared. The zero value is the strictest.
// Votes and gold of one query must use the same options.
type Options struct {
	// Ordered means that the order of a list matters. Repeated elements always matter.
	Ordered bool `yaml:"ordered" json:"ordered,omitempty"`
	// UnitOptional allows a number without a unit. A number without a currency gets the currency Currency. A
	// number without a unit matches a gold quantity as if it had the gold's unit.
	UnitOptional bool `yaml:"unit_optional" json:"unit_optional,omitempty"`
	// PrefixDate means that a date matches a gold date that is less precise: 2024-03-05 matches 2024-03.
	PrefixDate bool `yaml:"prefix_date" json:"prefix_date,omitempty"`
	// BarePercent means that the type percent reads 50 as 50 percent.
	BarePercent bool `yaml:"bare_percent" json:"bare_percent,omitempty"`
	// Locale is the language or region, such as de or en-GB, that decides how ambiguous numbers and dates are
	// read: 1.234 and 03/04/2024. It is a tag in locales.tsv of internal/value. Without a locale, such numbers
	// are read as in English, and such dates are ambiguous.
	Locale string `yaml:"locale" json:"locale,omitempty"`
	// Currency is the ISO 4217 code that is meant by a sign such as $ or ¥, which several currencies have. If
	// it is empty, [Match] takes the currency of the gold. It is never read from a file.
	Currency string `yaml:"-" json:"-"`
	// FalsePremise is the question if its premise is false, and otherwise empty. If it is set, all answers that
	// deny the premise have one key, whatever their type and words are ([premise.Denial]).
	FalsePremise string `yaml:"-" json:"false_premise,omitempty"`
}

// Normalize reads a short answer as a value of type t. It returns an error if the answer is not such a value,
// or is longer than [MaxBytes].
func Normalize(raw string, t Type, o Options) (Key, error) {
	if len(raw) > MaxBytes && t != Table {
		return Key{}, fmt.Errorf("answer of %d bytes is over the limit of %d: give the short answer only", len(raw), MaxBytes)
	}
	if o.Denied(raw) {
		return Key{Key: deniedKey, Type: t, Confidence: Exact}, nil
	}
	if t == Table {
		return tableKey(raw, o)
	}
	raw, err := localised(raw, t, o)
	if err != nil {
		return Key{}, err
	}
	s, invisible := cleanFor(raw, t)
	if len(s) > MaxBytes {
		return Key{}, fmt.Errorf("answer grows to %d bytes when normalised, over the limit of %d: give the short answer "+
			"only", len(s), MaxBytes)
	}
	var k Key
	err = errors.New("empty answer")
	if s != "" {
		switch t {
		case Integer, Decimal, Percent, Currency, Quantity:
			k, err = readNumeric(s, t, o)
		case Date:
			k, err = readDate(s)
		case Boolean:
			k, err = readBoolean(s)
		case Choice:
			k, err = readChoice(s)
		case Entity:
			k, err = exactly("entity", entityName(s)), nil
			if k.Key == "entity:" {
				err = errors.New(quote(s) + " is only punctuation")
			}
		case List:
			k, err = readList(raw, o)
		case Text:
			k, err = exactly("text", s), nil
		case Code:
			k, err = exactly("code", usualURL(s)), nil
		default:
			_, err = ParseType(string(t))
			return Key{}, err
		}
	}
	if err != nil {
		article := "a"
		if t == Integer || t == Entity {
			article = "an"
		}
		return Key{}, fmt.Errorf("not %s %s: %w", article, t, err)
	}
	k.Type = t
	if invisible {
		k.Flags = append(k.Flags, FlagInvisible)
	}
	slices.Sort(k.Flags)
	k.Flags = slices.Compact(k.Flags)
	return k, nil
}

// deniedKey is the key of all answers that deny a false premise.
const deniedKey = "premise:denied"

// Denied reports whether the premise of the question is false and the text denies the premise.
func (o Options) Denied(s string) bool {
	return o.FalsePremise != "" && premise.Denial(s, o.FalsePremise) != ""
}

func exactly(tag, body string) Key { return Key{Key: tag + ":" + body, Confidence: Exact} }

func ambiguous(s string) Key { return Key{Key: "ambiguous:" + s, Confidence: Ambiguous} }

func quote(s string) string { return text.Quote(s) }

// readNumeric reads a number of one of the numeric types. The type says what may be after the number: the type
// integer ignores a unit, and the type quantity needs one.
func readNumeric(s string, t Type, o Options) (Key, error) {
	as := value.AsNumber
	switch t {
	case Currency:
		as = value.AsMoney
		if o.Currency != "" && !value.IsCurrencyCode(o.Currency) {
			return Key{}, fmt.Errorf("the currency option %s is not an ISO 4217 code", quote(o.Currency))
		}
	case Quantity:
		as = value.AsQuantity
	}
	v, err := value.Parse(s, as)
	if err != nil {
		return Key{}, fmt.Errorf("%s: %w", quote(s), err)
	}
	if t == Currency {
		v = v.Settle(o.Currency, o.UnitOptional)
	}
	if v.Ordinal && t != Integer {
		return Key{}, fmt.Errorf("%s is an ordinal", quote(s))
	}
	bare := t == Currency && v.Currency.IsZero() || t == Quantity && v.Low.Unit == nil ||
		t == Percent && v.Kind == value.Count
	if t == Quantity && v.Kind == value.Count {
		v.Kind = value.Quantity
	}
	if v.Doubt {
		return ambiguous(s), nil
	}
	if !v.Currency.IsZero() && v.Currency.Code() == "" {
		k := ambiguous(canonicalNumber(v))
		k.value = v // the value matches nothing, but may be certainly different
		return k, nil
	}
	switch t {
	case Integer:
		fraction := func(n value.Number) bool { return n.Rat != nil && !n.Rat.IsInt() } // 5.0 has no fraction
		if v.Kind == value.Count && (fraction(v.Low) || fraction(v.High)) {
			err = errors.New("has a fraction")
		}
	case Percent:
		v, err = asPercentage(v, o)
	}
	if err != nil {
		return Key{}, fmt.Errorf("%s %w", quote(s), err)
	}
	k := keyOf(v)
	for flag, set := range map[string]bool{FlagBare: bare, FlagWords: v.InWords,
		FlagUnit: v.Dropped&value.DroppedUnit != 0, FlagCurrency: v.Dropped&value.DroppedCurrency != 0} {
		if set {
			k.Flags = append(k.Flags, flag) // Normalize sorts them
		}
	}
	return k, nil
}

// asPercentage turns 50% into 0.5. A number of at least 1 without a percent sign is a percentage only with
// [Options.BarePercent]; without that option it keeps the key of the plain number, and this key equals no
// percentage.
func asPercentage(v value.Value, o Options) (value.Value, error) {
	if v.Kind != value.Count {
		return v, nil
	}
	if v.Dropped != 0 {
		return v, errors.New("has a unit other than the percent sign")
	}
	one := big.NewRat(1, 1)
	small := new(big.Rat).Abs(v.Low.Rat).Cmp(one) < 0 && (v.High.Rat == nil || v.High.Rat.Cmp(one) < 0)
	if small || o.BarePercent {
		v.Kind = value.Percent
	}
	if small {
		for _, n := range []*value.Number{&v.Low, &v.High} {
			if n.Rat != nil {
				n.Rat = new(big.Rat).Mul(n.Rat, big.NewRat(100, 1))
				n.Place += 2
			}
		}
	}
	return v, nil
}

// readDate reads a year, a month, a day, a decade, a century, a time of day, or a range of two times.
func readDate(s string) (Key, error) {
	v, err := value.Parse(s, value.AsDate)
	switch {
	case err != nil:
		if clock, wrong := value.ParseClock(s); wrong == nil {
			return keyOf(clock), nil
		}
		return Key{}, fmt.Errorf("%s: %w", quote(s), err)
	case v.Doubt:
		return ambiguous(s), nil
	}
	return keyOf(v), nil
}

// withoutLoneArticle removes an English article before a name of one word from a key. The key keeps it, because it may
// be a part of the name ("The Who"). If the gold has none, it is only an article: "the Nile", "a kiwi". Articles of
// other languages remain, because Salvador is not El Salvador.
func withoutLoneArticle(key string) string { return loneArticle.ReplaceAllString(key, "entity:") }

var loneArticle = lazy.Compile(`^entity:(?:the|an?) `)
