package calc_test

import (
	"errors"
	"fmt"

	"github.com/seed-5817661a/concur/tool/calc"
)

func ExampleEval() {
	for _, expression := range []string{
		"1234567 * 9876543",
		"0.1 + 0.2",
		"-7 // 2",
		"2 / 3",
		"2 ** 100",
		"sqrt(2)",
	} {
		result, err := calc.Eval(expression)
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println(expression, "=", result.Value, result.Approximate)
	}
	// Output:
	// 1234567 * 9876543 = 12193254061881 false
	// 0.1 + 0.2 = 0.3 false
	// -7 // 2 = -4 false
	// 2 / 3 = 0.666666666666666666666666666667 false
	// 2 ** 100 = 1267650600228229401496703205376 false
	// sqrt(2) = 1.41421356237309504880168872421 true
}

func ExampleError() {
	_, err := calc.Eval("12 + 3 ^ 2")
	var failure *calc.Error
	if errors.As(err, &failure) {
		fmt.Println(failure.Column)
		fmt.Println(failure.Message)
	}
	// Output:
	// 8
	// unexpected "^": use ** for powers, as in 5 ** 2
}
