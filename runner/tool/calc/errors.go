package calc

import "fmt"

// Error says why an expression has no value and how to write it instead. Eval
// returns no other type of error.
type Error struct {
	Column  int    // position of the offender in characters, from 1
	Message string // one line, naming the offender and the way out
}

// Error returns the message with its column.
func (e *Error) Error() string {
	return fmt.Sprintf("column %d: %s", e.Column, e.Message)
}

func errorAt(column int, format string, args ...any) *Error {
	return &Error{Column: column, Message: fmt.Sprintf(format, args...)}
}

func tooLarge(column int) *Error {
	return errorAt(column, "the value is too large: numerator and denominator may have %d digits each; use smaller numbers", MaxDigits)
}
