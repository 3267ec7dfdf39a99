package answer_test

import (
	"fmt"

	"github.com/seed-5817661a/concur/datasets/answer"
)

func ExampleNormalize_types() {
	for _, a := range []struct {
		raw string
		typ answer.Type
	}{
		{"US$1.2M", answer.Currency},
		{"$1.2M", answer.Currency},
		{"3 km", answer.Quantity},
		{"Option C and A", answer.Choice},
		{"Rome, Oslo and Paris", answer.List},
		{"one hundred and five", answer.Integer},
	} {
		k, err := answer.Normalize(a.raw, a.typ, answer.Options{})
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println(k.Key)
	}
	// Output:
	// cur:USD:1200000
	// ambiguous:$ 1200000
	// qty:3000:m
	// choice:A,C
	// list:{entity:oslo|entity:paris|entity:rome}
	// int:105
}

// The gold answer settles what a sign stands for.
func ExampleMatch_currency() {
	fmt.Println(answer.Match("$1.2M", "USD 1,200,000", answer.Currency, nil, answer.Tolerance{}, answer.Options{}))
	fmt.Println(answer.Match("$1.2M", "CAD 1,200,000", answer.Currency, nil, answer.Tolerance{}, answer.Options{}))
	fmt.Println(answer.Match("€1.2M", "USD 1,200,000", answer.Currency, nil, answer.Tolerance{}, answer.Options{}))
	// Output:
	// true equal amounts
	// true equal amounts
	// false EUR 1200000 and USD 1200000 are in different currencies
}

func ExampleSameRounded() {
	coarse, _ := answer.Normalize("3.14", answer.Decimal, answer.Options{})
	fine, _ := answer.Normalize("3.1416", answer.Decimal, answer.Options{})
	other, _ := answer.Normalize("3.15", answer.Decimal, answer.Options{})
	fmt.Println(answer.SameRounded(coarse, fine), answer.SameRounded(coarse, other))
	// Output: true false
}

func ExampleDiffer() {
	year, _ := answer.Normalize("1969", answer.Date, answer.Options{})
	day, _ := answer.Normalize("20 July 1969", answer.Date, answer.Options{})
	later, _ := answer.Normalize("1970", answer.Date, answer.Options{})
	fmt.Println(answer.Differ(year, day), answer.Differ(year, later))
	// Output: false true
}
