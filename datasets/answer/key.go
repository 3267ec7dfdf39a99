package answer

import (
	"math/big"
	"slices"
	"strings"
)

// Confidence says how far a key may be trusted.
type Confidence string

// The levels of confidence.
const (
	// Exact: the answer was read without doubt.
	Exact Confidence = "exact"
	// Fallback: the short answer was guessed from a message without answer line.
	Fallback Confidence = "fallback"
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
//	bool:true  choice:A,C  entity:…  text:…  code:…
//	list:{int:6|entity:…} sorted; [ ] instead of { } where the order counts
//	ambiguous:…              the cleaned answer, not read any further
type Key struct {
	Key        string
	Type       Type
	Confidence Confidence
	Flags      []string

	elements []Key // of a list, as its key has them
}

// Elements returns the elements of a list in the order of its key: numbers with the
// type decimal, names with the type entity. It is nil for any other type.
func (k Key) Elements() []Key { return slices.Clone(k.elements) }

// Canonical returns the key as an answer that a person could have written. It
// normalises to the same key again.
func (k Key) Canonical() string {
	tag, body, _ := strings.Cut(k.Key, ":")
	switch tag {
	case tagPercent:
		if r, ok := new(big.Rat).SetString(body); ok {
			return r.Mul(r, big.NewRat(100, 1)).RatString() + "%"
		}
	case tagPoints:
		return body + " pp"
	case tagCurrency:
		return strings.Replace(body, ":", " ", 1)
	case tagQuantity:
		return strings.TrimSuffix(strings.Replace(body, ":", " ", 1), " 1")
	case tagList:
		return canonicalList(k.elements)
	}
	return body
}

// The tags of key strings.
const (
	tagInteger   = "int"
	tagRational  = "num"
	tagPercent   = "pct"
	tagPoints    = "pp"
	tagApprox    = "approx"
	tagDate      = "date"
	tagCurrency  = "cur"
	tagQuantity  = "qty"
	tagBoolean   = "bool"
	tagChoice    = "choice"
	tagList      = "list"
	tagEntity    = "entity"
	tagText      = "text"
	tagCode      = "code"
	tagAmbiguous = "ambiguous"
)
