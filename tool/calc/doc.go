// Package calc evaluates arithmetic expressions. The result is exact if it is rational.
//
// The package defines the language (tokens, precedence), the exact rational arithmetic, limits on the cost of an
// expression, and the printed form of a result. It imports no other package of this module.
//
// # Language
//
// Decimal numbers ("12", "1_000", "0.5", ".5", "6.02e23"), parentheses, the signs + and -, and the operators + - * /
// // % **. The characters − × ÷ read as - * /. Precedence and associativity are Python's:
//
//   - ** binds tighter than a sign on its left and groups to the right: -2**2 is -4, 2**-1 is 0.5, 2**3**2 is 512.
//   - // rounds toward negative infinity, and % takes the sign of the divisor. This is also true for fractions, so
//     a == (a//b)*b + a%b always.
//   - 0**0 is 1.
//
// Every rational value is exact, so 0.1 + 0.2 is 0.3 and 1/3*3 is 1. There are the functions sqrt, exp, ln (natural)
// and log (to base 10) of one argument, the constants pi and e, and fractional powers. If the value of such
// a function is rational, it is exact (4**0.5 is 2, log(1000) is 3). Otherwise the result is marked as approximate, and
// all printed digits are correct.
//
// There are no variables, strings, comparisons or assignments. A per-cent sign is modulo, never "per cent";
// notation that suggests the second meaning is refused.
//
// # Results
//
// An integer and a terminating decimal print in full. A number that does not
// terminate is rounded half to even to [SignificantDigits] digits. It is
// written with an exponent if it is at least 10**30 or below 10**-6.
package calc
