package code_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"

	"github.com/seed-5817661a/concur/tool/code"
)

// A tool that runs JavaScript.
func Example() {
	declared, err := code.Kind.Read("code", func(settings any) error {
		settings.(*code.Settings).Languages = []string{"javascript"}
		return nil
	})
	if err != nil {
		panic(err)
	}
	opened, _, err := declared.Open(context.Background())
	if err != nil {
		panic(err)
	}
	defer opened.(io.Closer).Close()
	out, err := opened.Call(context.Background(), json.RawMessage(`{"code": "[1, 2, 3].map(n => n ** 2)"}`))
	if err != nil {
		panic(err)
	}
	fmt.Printf("%s\n", out.Object["result"])
	// Output: [1,4,9]
}
