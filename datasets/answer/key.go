package answer

import (
	"math/big"
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
	FlagBare      = "bare"      // a percent answer without percent sign
	FlagInvisible = "invisible" // invisible characters were dropped: worth a look
)

// Key is the typed canonical form of an answer. Two answers are the same vote
// when their Key strings are equal and neither is [Ambiguous].
//
// The string is a tag, a colon and a body:
//
//	int:42  num:157/50       a number, of type integer or decimal alike
//	pct:1/2  pp:5            50 percent, 5 percentage points
//	approx:~5  lt:<5  le:≤5  gt:>5  ge:≥5  range:5..7
//	date:1969-07-20          also 1969-07 and 1969; 44 BC is -0043
//	bool:true  entity:…  text:…
//	ambiguous:…              the cleaned answer, not read any further
type Key struct {
	Key        string
	Type       Type
	Confidence Confidence
	Flags      []string
}

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
	tagBoolean   = "bool"
	tagEntity    = "entity"
	tagText      = "text"
	tagAmbiguous = "ambiguous"
)
