// Package calc evaluates arithmetic expressions exactly.
//
// It owns the language (tokens, precedence), the exact rational arithmetic
// behind it, the bounds that keep any expression cheap, and the printed form of
// a result. It imports nothing else of this module.
//
// # Language
//
// Decimal numbers ("12", "1_000", "0.5", ".5", "6.02e23"), parentheses, the
// signs + and -, and the operators + - * / // % **. The characters − × ÷ read
// as - * /. Precedence and associativity are Python's: ** binds tighter than a
// sign on its left and groups to the right, so -2**2 is -4, 2**-1 is 0.5 and
// 2**3**2 is 512. // rounds toward negative infinity and % takes the sign of
// the divisor, for fractions as for integers: a == (a//b)*b + a%b always.
// 0**0 is 1.
//
// Every value is an exact rational number, so 0.1 + 0.2 is 0.3 and 1/3*3 is 1.
// A fractional exponent is allowed where the result is itself rational
// (4**0.5 is 2) and refused otherwise.
//
// There are no names, calls, strings, comparisons or assignments. A per-cent
// sign is modulo, never "per cent"; notation that suggests the second meaning
// is refused rather than guessed at.
//
// # Results
//
// An integer and a terminating decimal print in full. A number that does not
// terminate is rounded half to even to [SignificantDigits] digits; it is
// written with an exponent where it is at least 10**30 or below 10**-6.
package calc
