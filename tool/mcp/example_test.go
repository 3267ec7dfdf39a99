package mcp_test

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/tool"
	"github.com/seed-5817661a/concur/tool/mcp"
)

// A server is opened once; its tools are used like any others.
func ExampleOpen() {
	ctx := context.Background()
	client, err := mcp.Open(ctx, mcp.Server{Name: "sums", Command: []string{os.Args[0]}, Env: []string{"MCP_PEER=sdk"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer client.Close()
	for _, d := range client.About.Tools {
		if d.Remote != "add" {
			continue
		}
		tools, err := tool.New(mcp.Tool{Client: client, Described: d})
		if err != nil {
			fmt.Println(err)
			return
		}
		result := tools.Invoke(ctx, model.ToolCall{ID: "call_1", Name: "sums__add", Arguments: `{"a": 2, "b": 3}`}, time.Minute)
		fmt.Println(d.Name, result.Output.Object)
	}
	// Output: sums__add map[sum:5]
}
