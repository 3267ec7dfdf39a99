package price_test

import (
	"fmt"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/model/price"
)

func ExampleTable_Cost() {
	table, err := price.Builtin()
	if err != nil {
		fmt.Println(err)
		return
	}
	usage := model.Usage{InputTokens: 12_000, CachedTokens: 8_000, OutputTokens: 900}
	usd, ok := table.Cost("openai", "gpt-4o-mini-2024-07-18", usage)
	fmt.Printf("$%.5f %v\n", usd, ok)
	_, ok = table.Cost("local", "llama", usage)
	fmt.Println("local:llama has a price:", ok)
	// Output:
	// $0.00174 true
	// local:llama has a price: false
}
