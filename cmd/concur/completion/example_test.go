package completion_test

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/cmd/concur/completion"
)

func ExampleValues() {
	app := &cli.App{Commands: []*cli.Command{{Name: "report", Flags: []cli.Flag{
		&completion.WordFlag{StringFlag: &cli.StringFlag{Name: "format"}, Words: []string{"table", "json"}},
	}}}}
	fmt.Println(completion.Values(app, []string{"concur", "report", "--format", completion.Request}))
	fmt.Println(completion.Values(app, []string{"concur", "--format", completion.Request}))
	// Output:
	// [table json]
	// []
}
