package annotate_test

import (
	"context"
	"fmt"

	"github.com/seed-5817661a/concur/runner/annotate"
)

// The rules find a calculation that a text spells out, and propose to compute it in front of the result.
func ExampleRules() {
	k := annotate.KindOf("calc")
	t := annotate.Tool{Name: "calc", Paper: k.Name, Settings: k.Settings}
	text := "Of 7,823 × 4,991 an article prints 39,048,293."
	calls, err := annotate.Rules{}.Propose(context.Background(), t, annotate.Text{Text: text})
	for _, c := range calls {
		fmt.Printf("%s| [%s]%s\n", text[:c.Position], c.Call, text[c.Position:])
	}
	fmt.Println(k.Settings, err)
	// Output:
	// Of 7,823 × 4,991 an article prints| [Calculator(7823 * 4991)] 39,048,293.
	// {0 0.5 20 10} <nil>
}
