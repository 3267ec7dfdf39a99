package mcp

import (
	"context"
	"io"
	"net/http"
	"strconv"
	"sync/atomic"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/tool"
	"github.com/seed-5817661a/concur/trace"
)

// Offer is a set of tools that is offered to other programs.
type Offer struct {
	Tools   *tool.Registry
	Version string        // version of concur
	Timeout time.Duration // time limit of a call
}

// ServeStreams serves one session over a pair of streams, until in or ctx ends.
func (o Offer) ServeStreams(ctx context.Context, in io.ReadCloser, out io.WriteCloser) error {
	return o.session().Run(ctx, &sdk.IOTransport{Reader: in, Writer: out, MaxLineLength: maxMessage})
}

// Handler serves sessions over streamable HTTP. The caller decides who may connect.
func (o Offer) Handler() http.Handler {
	return &members{next: sdk.NewStreamableHTTPHandler(
		func(*http.Request) *sdk.Server { return o.session() }, &sdk.StreamableHTTPOptions{SessionTimeout: sessionTime})}
}

// session returns a server for one session. Documents keep their ids within the session.
func (o Offer) session() *sdk.Server {
	s := sdk.NewServer(&sdk.Implementation{Name: "concur", Version: o.Version}, nil)
	var ledger trace.Ledger
	var calls atomic.Int64
	for _, spec := range o.Tools.Specs() {
		s.AddTool(&sdk.Tool{
			Name: spec.Name, Description: spec.Description, InputSchema: spec.Parameters,
			Annotations: &sdk.ToolAnnotations{ReadOnlyHint: true},
		}, func(ctx context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			call := model.ToolCall{ID: "call_" + strconv.FormatInt(calls.Add(1), 10), Name: spec.Name,
				Arguments: string(r.Params.Arguments)}
			return reply(o.Tools.Invoke(ctx, call, o.Timeout), &ledger), nil
		})
	}
	return s
}

// reply returns the result of a call. It is the output's object, with a copy as text for clients that read
// only text, or the error text that an agent of concur would get.
func reply(r tool.Result, ledger *trace.Ledger) *sdk.CallToolResult {
	if r.Error != "" {
		return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: r.Error}}, IsError: true}
	}
	documents := r.Output.Documents
	if documents != nil {
		documents = ledger.Enter(documents)
	}
	raw, _ := r.Output.Render(documents) // Invoke has already rendered it without an error
	return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: string(raw)}}, StructuredContent: raw}
}
