package mcp_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/signal"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// The test binary also serves as the servers that the tests start.
func TestMain(m *testing.M) {
	switch kind := os.Getenv("MCP_PEER"); kind {
	case "":
		os.Exit(m.Run())
	case "sdk":
		_ = peer(nil).Run(context.Background(), &sdk.StdioTransport{}) // ends with its input
	default:
		byHand(kind)
	}
	syscall.Exit(0) // a return waits for a second under the race detector
}

type pair struct {
	A float64 `json:"a"`
	B float64 `json:"b"`
}

// peer returns a server of the official SDK. Its tool "slow" returns when it is cancelled or stopped.
func peer(stopped <-chan struct{}) *sdk.Server {
	s := sdk.NewServer(&sdk.Implementation{Name: "peer", Version: "1.2"}, &sdk.ServerOptions{Instructions: "Call add for sums."})
	reads := &sdk.ToolAnnotations{ReadOnlyHint: true}
	answer := func(r *sdk.CallToolResult) sdk.ToolHandler {
		return func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) { return r, nil }
	}
	tool := func(name string, a *sdk.ToolAnnotations, h sdk.ToolHandler) {
		s.AddTool(&sdk.Tool{Name: name, Description: "About " + name, Annotations: a, InputSchema: json.RawMessage(`{"type":"object"}`)}, h)
	}
	text := func(texts ...string) *sdk.CallToolResult {
		r := &sdk.CallToolResult{}
		for _, t := range texts {
			r.Content = append(r.Content, &sdk.TextContent{Text: t})
		}
		return r
	}
	failure := func(t string) *sdk.CallToolResult {
		r := text(t)
		r.IsError = true
		return r
	}
	sdk.AddTool(s, &sdk.Tool{Name: "add", Description: "Adds.", Annotations: reads}, func(_ context.Context, _ *sdk.CallToolRequest, in pair) (*sdk.CallToolResult, map[string]float64, error) {
		return nil, map[string]float64{"sum": in.A + in.B}, nil
	})
	tool("texts", reads, answer(text("one", "two")))
	tool("media", reads, answer(&sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: "a picture"}, &sdk.ImageContent{MIMEType: "image/png", Data: []byte("png")}}}))
	tool("links", reads, answer(&sdk.CallToolResult{Content: []sdk.Content{
		&sdk.TextContent{Text: "found"}, &sdk.ResourceLink{URI: "demo://1", Name: "First", Description: "about one"},
		&sdk.EmbeddedResource{Resource: &sdk.ResourceContents{URI: "demo://2", Text: "two in full"}},
	}}))
	tool("refuses", reads, answer(failure("Access denied")))
	tool("misused", reads, answer(failure("MCP error -32602: Input validation error: a")))
	tool("environment", reads, func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		return text(strings.Join(os.Environ(), "\n")), nil
	})
	tool("slow", reads, func(ctx context.Context, _ *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		select {
		case <-ctx.Done():
		case <-stopped:
		}
		return text("late"), nil
	})
	tool("crash", reads, func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		fmt.Fprintln(os.Stderr, "out of memory")
		os.Exit(3)
		return nil, nil
	})
	var calls atomic.Int32
	tool("count", nil, func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		return text(fmt.Sprint(calls.Add(1))), nil
	})
	tool("a.b/c", reads, answer(text("odd name")))
	tool("x.y", reads, answer(text("mapped")))
	tool("x_y", reads, answer(text("as it is")))
	tool(strings.Repeat("long", 20), reads, answer(text("long name")))
	return s
}

// byHand is a server that breaks the protocol.
func byHand(kind string) {
	switch kind {
	case "silent":
		time.Sleep(time.Hour)
	case "ends":
		fmt.Fprintln(os.Stderr, "no such database")
		os.Exit(1)
	case "tells":
		fmt.Fprintln(os.Stderr, "the token is "+os.Getenv("MY_TOKEN"))
		fmt.Println("ERROR: " + os.Getenv("MY_TOKEN") + " is refused")
		os.Exit(1)
	case "prose":
		fmt.Println("[info] listening")
	case "orphan":
		fmt.Println(`{"jsonrpc":"2.0","id":null,"error":{"code":-32601,"message":"Method not found"}}`)
	case "junk":
		for range 200 {
			fmt.Println(`{"not json`)
		}
	case "huge":
		fmt.Print(`{"jsonrpc":"2.0","method":"` + strings.Repeat("x", 40<<20) + "\"}\n")
	case "stubborn":
		signal.Ignore(syscall.SIGTERM)
	}
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		var request struct {
			ID     json.RawMessage
			Method string
		}
		if json.Unmarshal(in.Bytes(), &request) != nil || request.ID == nil {
			continue
		}
		reply := `{}`
		tool := func(name, schema string) string {
			return `{"name":"` + name + `","description":"d","inputSchema":` + schema + `}`
		}
		switch request.Method {
		case "initialize":
			reply = `{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"x","version":"0"}}`
			if kind == "noTools" {
				reply = strings.Replace(reply, `"tools":{}`, ``, 1)
			}
		case "tools/list":
			switch kind {
			case "twice":
				reply = `{"tools":[` + tool("a", `{"type":"object"}`) + `,` + tool("a", `{"type":"object"}`) + `]}`
			case "pages":
				reply = `{"tools":[],"nextCursor":"again"}`
			case "notifies":
				for range 1_000_000 {
					fmt.Println(`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`)
				}
				fallthrough
			default:
				reply = `{"tools":[` + tool("remote", `{"type":"object","properties":{"a":{"$ref":"https://example.org/a.json"}}}`) + `]}`
			}
		}
		fmt.Printf(`{"jsonrpc":"2.0","id":%s,"result":%s}`+"\n", request.ID, reply)
	}
	if kind == "stubborn" {
		time.Sleep(time.Hour)
	}
}

// overHTTP serves the SDK's server over HTTP.
func overHTTP(t *testing.T) *httptest.Server {
	stopped := make(chan struct{})
	s := peer(stopped)
	server := httptest.NewServer(sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return s }, nil))
	t.Cleanup(func() {
		close(stopped) // if a client closes the connection at once, its cancellation may be lost
		server.Close()
	})
	return server
}
