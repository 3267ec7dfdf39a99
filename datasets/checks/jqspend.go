package checks

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
)

// The functions that an expression is given, so that its memory is limited. Each returns its input, after it subtracted
// the input's weight from that of the evaluation. An expression cannot name them: limited refuses names with _.
const (
	spend       = "_spend"
	spendMuch   = "_spend_much"   // for functions that make a list of the parts of a text
	spendMatch  = "_spend_match"  // for functions that count the characters before each match of a regular expression
	spendPairs  = "_spend_pairs"  // for functions that compare each entry of one list with each of another
	spendFactor = "_spend_factor" // for a product: refuses texts and integers with many digits
	spendIndex  = "_spend_index"  // for an index: refuses lists, which the interpreter would look for in the other list
)

// maxDigits is the greatest number of bits of an integer that is multiplied.
const maxDigits = 4096

// spenders are the functions by their names.
var spenders = map[string]func(e *evaluation, v any) any{
	spend:     func(e *evaluation, v any) any { return e.spend(v, 1) },
	spendMuch: func(e *evaluation, v any) any { return e.spend(v, 64) },
	spendMatch: func(e *evaluation, v any) any {
		if s, is := v.(string); is {
			return e.spend(v, 64+len(s)/64)
		}
		return e.spend(v, 64)
	},
	spendPairs: func(e *evaluation, v any) any {
		switch v := v.(type) {
		case []any:
			if len(v) > maxPairs {
				return fmt.Errorf("a list has %d entries, and %d is the most here", len(v), maxPairs)
			}
		case string, map[string]any:
		default:
			return e.spend(v, 1)
		}
		return e.spend(v, 64)
	},
	spendFactor: func(e *evaluation, v any) any {
		switch v := v.(type) {
		case string:
			return errors.New("a text cannot be multiplied in a check")
		case *big.Int:
			if v.BitLen() > maxDigits {
				return errors.New("an integer has too many digits")
			}
		case json.Number:
			if len(v) > maxDigits/4 {
				return errors.New("an integer has too many digits")
			}
		}
		return e.spend(v, 1)
	},
	spendIndex: func(e *evaluation, v any) any {
		if _, is := v.([]any); is {
			return errors.New("a list cannot be an index in a check")
		}
		return v
	},
}

// maxPairs is the greatest number of entries of a list that spendPairs lets through.
const maxPairs = 1000
