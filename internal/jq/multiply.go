package jq

import (
	"encoding/json"
	"errors"
	"math/big"
	"math/bits"
)

// product is the name of the function that replaces the operator *.
const product = "_product"

// maxBits limits exact products; larger ones are floating-point numbers.
const maxBits = 4096

var errProduct = errors.New("* multiplies numbers alone")

// multiply returns the product of two numbers; whole numbers stay exact.
func multiply(_ any, args []any) any {
	a, b := args[0], args[1]
	x, isInt := a.(int)
	y, areInt := b.(int)
	if isInt && areInt {
		high, low := bits.Mul64(magnitude(x), magnitude(y))
		if high == 0 && low < 1<<63 {
			return x * y
		}
	}
	m, exact := whole(a)
	n, both := whole(b)
	if exact && both && m.BitLen()+n.BitLen() <= maxBits {
		return new(big.Int).Mul(m, n)
	}
	f, ok := float(a)
	g, also := float(b)
	if !ok || !also {
		return errProduct
	}
	return f * g
}

func magnitude(n int) uint64 {
	if n < 0 {
		return -uint64(n)
	}
	return uint64(n)
}

func whole(v any) (*big.Int, bool) {
	switch v := v.(type) {
	case int:
		return big.NewInt(int64(v)), true
	case *big.Int:
		return v, true
	}
	return nil, false
}

func float(v any) (float64, bool) {
	switch v := v.(type) {
	case int:
		return float64(v), true
	case float64:
		return v, true
	case json.Number:
		f, err := v.Float64()
		return f, err == nil
	case *big.Int:
		f, _ := new(big.Float).SetInt(v).Float64()
		return f, true
	}
	return 0, false
}
