package answer_test

import (
	"fmt"

	"github.com/seed-5817661a/concur/datasets/answer"
)

func ExampleExtract() {
	message := `The distance is given as 42.195 km [corpus_3].

Answer: 42.195 km [corpus_3]

References:
[corpus_3] The marathon`
	final := answer.Extract(message, "", answer.Decimal)
	fmt.Println(final.Outcome, final.Extract, final.Short)
	// Output: answered line 42.195 km
}

func ExampleNormalize() {
	for _, raw := range []string{"12,193,254 metres", "3.14", "about 5", "5k"} {
		k, err := answer.Normalize(raw, answer.Decimal, answer.Options{})
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println(k.Key, k.Confidence)
	}
	// Output:
	// int:12193254 exact
	// num:157/50 exact
	// approx:~5 exact
	// ambiguous:5k ambiguous
}

func ExampleMatch() {
	tol, err := answer.ParseTolerance("0.005")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(answer.Match("3.15", "3.14", answer.Decimal, nil, tol, answer.Options{}))
	fmt.Println(answer.Match("3.1416", "3.14", answer.Decimal, nil, tol, answer.Options{}))
	// Output:
	// false 3.15 is outside 3.14 ± 0.005
	// true 3.1416 is within 3.14 ± 0.005
}

func ExampleContainsTokens() {
	fmt.Println(answer.ContainsTokens("It has 14 moons.", "4"))
	fmt.Println(answer.ContainsTokens("It has 4 moons.", "4 moons"))
	// Output:
	// false
	// true
}
