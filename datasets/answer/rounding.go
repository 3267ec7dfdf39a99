package answer

import "math/big"

// SameRounded reports whether two short answers of a numeric type give the same
// number to the precision of the less precise one: the other, rounded half to even
// to its decimals, is equal to it, and it has at least two significant digits
// (section 2.2, step 5). 3.14 and 3.1416 are the same, 3 and 3.1 are not; equal
// keys always are. Answers that do not read as t, and ambiguous ones, never are.
//
// The relation is not transitive (1.349 rounds to 1.3 and to 1.35, which are not the
// same), so classes may be merged by it only where every pair across them holds.
func SameRounded(a, b string, t Type) bool {
	if !t.Numeric() {
		return false
	}
	p, errP := read(a, t, Options{})
	q, errQ := read(b, t, Options{})
	if errP != nil || errQ != nil || p.key.Confidence == Ambiguous || q.key.Confidence == Ambiguous {
		return false
	}
	return p.key.Key == q.key.Key || p.num.sameRounded(q.num)
}

// minSignificant is the least number of significant digits that a number must have
// for another to be rounded to it.
const minSignificant = 2

func (q amount) sameRounded(r amount) bool {
	if q.relation != equal || r.relation != equal || q.mark != r.mark ||
		q.currency.code() != r.currency.code() || q.low.dim() != r.low.dim() {
		return false
	}
	return roundsFrom(q.low, r.low) || roundsFrom(r.low, q.low)
}

// roundsFrom reports whether fine, expressed in the unit of coarse, rounds to it.
func roundsFrom(fine, coarse value) bool {
	return fine.writtenInDecimals() && coarse.significant() >= minSignificant && roundsTo(fine.in(coarse.unit), coarse)
}

// writtenInDecimals is false for a fraction such as 1/3: what was never written in
// decimals has no precision to compare by.
func (v value) writtenInDecimals() bool {
	return new(big.Rat).Mul(v.rat, pow(big.NewRat(10, 1), v.decimals)).IsInt()
}

// significant counts the digits of a number as written, without leading zeros. It
// is 0 for a number that was not written in decimals.
func (v value) significant() int {
	scaled := new(big.Rat).Mul(v.rat, pow(big.NewRat(10, 1), v.decimals))
	if !scaled.IsInt() || scaled.Sign() == 0 {
		return 0
	}
	return len(new(big.Int).Abs(scaled.Num()).String())
}
