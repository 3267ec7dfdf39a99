package answer

import (
	"math/big"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/internal/value"
)

// Confidence says how far a key may be trusted.
type Confidence string

// The levels of confidence.
const (
	// Exact: the answer was read without doubt.
	Exact Confidence = "exact"
	// Ambiguous: the answer has several readings. Such a key never makes an exact
	// consensus and never matches a gold answer.
	Ambiguous Confidence = "ambiguous"
)

// Flags that a key may carry. They never change the key.
const (
	FlagUnit      = "unit"      // a unit or noun after the number was dropped
	FlagCurrency  = "currency"  // a currency sign was dropped
	FlagBare      = "bare"      // no percent sign, currency or unit where the type has one
	FlagWords     = "words"     // a number was written in words
	FlagInvisible = "invisible" // it held invisible characters, which only code keeps: worth a look
)

// Key is the typed canonical form of an answer. Two answers are the same vote
// when their Key strings are equal and neither is [Ambiguous].
//
// The string is a tag, a colon and a body:
//
//	int:42  num:157/50       a number, of type integer or decimal alike
//	pct:1/2  pp:5            50 percent, 5 percentage points
//	approx:~5  lt:<5  le:≤5  gt:>5  ge:≥5  range:5..7
//	cur:USD:1200000          an amount of a currency of ISO 4217
//	qty:9/2:m·s^-1           a value in base units, and its dimension; 1 is none
//	date:1969-07-20          also 1969-07 and 1969; 44 BC is -0043
//	time:14:30               a time of day; 09:00..17:00 is a range of two
//	bool:true  choice:A,C  entity:…  text:…  code:…
//	list:{int:6|entity:…} sorted; [ ] instead of { } where the order counts
//	ambiguous:…              the cleaned answer, not read any further
type Key struct {
	Key        string
	Type       Type
	Confidence Confidence
	Flags      []string

	elements []Key       // of a list, as its key has them
	value    value.Value // of a number or date
}

// Elements returns the elements of a list in the order of its key: numbers with the
// type decimal, names with the type entity. It is nil for any other type.
func (k Key) Elements() []Key { return slices.Clone(k.elements) }

// Canonical returns the key as an answer that a person could have written. It normalises to the same key again.
func (k Key) Canonical() string {
	switch {
	case k.elements != nil: // bullets, of which nothing is split further
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

// keyOf makes the key of a number or a date.
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

// numberKey is the tag and the body of a number without relation.
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

// canonicalNumber writes a number with its relation in a form that is read back.
func canonicalNumber(v value.Value) string {
	return written(v, func(n value.Number) string {
		if v.Kind == value.Quantity && !n.Dim().Plain() {
			return n.Base().RatString() + " " + n.Dim().String()
		}
		return n.Rat.RatString()
	})
}

// written writes a number with its relation, currency and percent sign; bare writes what is between them.
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

// relationTags are the tags of numbers that are not exact.
var relationTags = map[value.Relation]string{value.Approx: "approx", value.Less: "lt", value.AtMost: "le",
	value.More: "gt", value.AtLeast: "ge", value.Between: "range"}
