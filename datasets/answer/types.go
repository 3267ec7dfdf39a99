package answer

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/trace"
)

// Version names the normalisation rules. It is recorded with every run: keys
// made under different versions are not comparable.
const Version = "norm/v7"

// MaxBytes is the length above which an answer is refused, before and after Unicode normalisation.
const MaxBytes = 64 << 10

// Type says what kind of value an answer is, and so how it is read.
type Type string

// The known types.
const (
	Integer  Type = "integer"  // a whole number
	Decimal  Type = "decimal"  // a rational number
	Percent  Type = "percent"  // a rational number that carries a percent sign
	Currency Type = "currency" // an amount of money
	Quantity Type = "quantity" // a number with a physical unit
	Date     Type = "date"     // a year, a month or a day, or a time of day
	Boolean  Type = "boolean"  // yes or no
	Choice   Type = "choice"   // one or more letters of offered options
	Entity   Type = "entity"   // a name
	List     Type = "list"     // several names
	Text     Type = "text"     // anything else, but for case, space and outer punctuation
	Code     Type = "code"     // program text, an identifier, a URL: every character counts
)

// Types lists the known types in the order in which they are documented.
func Types() []Type {
	return []Type{Integer, Decimal, Percent, Currency, Quantity, Date, Boolean, Choice, Entity, List, Text, Code}
}

// ParseType returns the type of that exact name. The error lists the known ones.
func ParseType(name string) (Type, error) {
	if slices.Contains(Types(), Type(name)) {
		return Type(name), nil
	}
	known := strings.Trim(strings.ReplaceAll(fmt.Sprint(Types()), " ", ", "), "[]")
	return "", fmt.Errorf("unknown answer type %q: use one of %s", name, known)
}

// Numeric reports whether answers of the type are numbers, for which alone a [Tolerance] means something.
func (t Type) Numeric() bool {
	return t == Integer || t == Decimal || t == Percent || t == Currency || t == Quantity
}

// Extraction says where in the message the answer was found.
type Extraction string

// The places of extraction.
const (
	FromLine     Extraction = "line"     // on the final-answer line
	FromFallback Extraction = "fallback" // guessed from the rest of the message
	FromNowhere  Extraction = "none"     // not found
)

// Final is what a final message says.
type Final struct {
	Outcome trace.Outcome // answered, refused or abstained; no_answer if the message has no answer
	Short   string        // the short answer, empty unless Outcome is answered
	Extract Extraction
	// Reason says why there is no answer, or why the marked one is no value of the type and is given as written.
	Reason string
}
