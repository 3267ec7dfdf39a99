package value_test

import (
	"fmt"

	"github.com/seed-5817661a/concur/internal/value"
)

func ExampleFind() {
	s := "The tower, 330 metres tall, was opened on 31 March 1889 and cost about 7.8 million francs."
	for _, v := range value.Find(s, 10) {
		fmt.Println(v.Of(s))
	}
	// Output:
	// 330 metres
	// 31 March 1889
	// 7.8 million francs
}

func ExampleParse() {
	a, _ := value.Parse("1.5 km", value.AsQuantity)
	b, _ := value.Parse("1,500 metres", value.AsQuantity)
	fmt.Println(value.Same(a, b))
	// Output: true
}
