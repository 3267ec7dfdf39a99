package calc

import (
	"fmt"
	"math/big"
)

// The bounds within which an expression is evaluated. Each is checked before
// the work that it limits, so an expression beyond them is refused at once.
const (
	// MaxLength is the longest expression, in bytes.
	MaxLength = 1000
	// MaxNesting is the deepest nesting of parentheses, signs and powers.
	MaxNesting = 100
	// MaxDigits is the most decimal digits that the numerator and the
	// denominator of any value, in lowest terms, may each have. A terminating result within it can still print more
	// than MaxDigits decimals: 2**-20000 has 20,000 of them.
	MaxDigits = 10_000
	// SignificantDigits is the precision of a result that does not terminate.
	SignificantDigits = 30
)

// maxBits is the bit length of 10**MaxDigits: ceil(MaxDigits * log2(10)).
const maxBits = 33_220

// beyond is the least number with more than MaxDigits digits.
var beyond = pow10(MaxDigits)

// fits reports whether numerator and denominator have at most MaxDigits digits.
func fits(x *big.Rat) bool { return x.Num().CmpAbs(beyond) < 0 && x.Denom().CmpAbs(beyond) < 0 }

// pow10 returns 10**n for n >= 0.
func pow10(n int) *big.Int { return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil) }

// Error says why an expression has no value and how to write it instead. Eval returns no other type of error.
type Error struct {
	Column  int    // position of the offender in characters, from 1
	Message string // one line, naming the offender and the way out
}

// Error returns the message with its column.
func (e *Error) Error() string { return fmt.Sprintf("column %d: %s", e.Column, e.Message) }

func errorAt(column int, format string, args ...any) *Error {
	return &Error{Column: column, Message: fmt.Sprintf(format, args...)}
}

func tooLarge(column int) *Error {
	return errorAt(column, "the value is too large: numerator and denominator may have %d digits each; use smaller numbers", MaxDigits)
}
