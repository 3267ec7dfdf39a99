package gain_test

import (
	"fmt"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/model/gain"
)

func ExampleOf() {
	// The answer has one token. It has the probability e^-0.1 with the result of the call, e^-5 without the call, and
	// e^-4 if the call has an empty result.
	scored := func(log float64) []model.TokenScore { return []model.TokenScore{{Token: " Paris", LogProb: log}} }
	losses, err := gain.Of(scored(-.1), scored(-5), scored(-4))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("gain %.1f, reaches 1: %t\n", losses.Gain(), gain.Reaches(losses.Gain(), 1))
	// Output: gain 3.9, reaches 1: true
}
