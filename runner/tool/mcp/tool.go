package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/seed-5817661a/concur/internal/process"
	"github.com/seed-5817661a/concur/runner/model"
	"github.com/seed-5817661a/concur/runner/tool"
)

// Tool is a server's tool. Calls of one server run side by side.
type Tool struct {
	Client *Client
	Described
}

// Spec describes the tool as its server does. It is not pure, whatever the server hints: a
// replay answers from its recording.
func (t Tool) Spec() tool.Spec { return t.Described.Spec() }

// Spec describes the tool for models and the registry.
func (d Described) Spec() tool.Spec {
	return tool.Spec{ToolSpec: model.ToolSpec{Name: d.Name, Description: d.Description, Parameters: d.Schema}}
}

// Call asks the server. What the server calls an error is the agent's; a server that ended or
// breaks the protocol is an upstream failure, and is started again by the next call, once in a
// trace.
func (t Tool) Call(ctx context.Context, arguments json.RawMessage) (tool.Output, error) {
	s, err := t.Client.session(ctx)
	if err != nil {
		return tool.Output{}, upstream(ctx, err)
	}
	r, err := s.CallTool(ctx, &sdk.CallToolParams{Name: t.Remote, Arguments: arguments})
	if wire, refused := errors.AsType[*jsonrpc.Error](err); refused {
		if wire.Code == jsonrpc.CodeInvalidParams {
			return tool.Output{}, badArguments(wire.Message)
		}
		return tool.Output{}, upstream(ctx, errors.New(process.Last([]byte(wire.Message), maxErrorText)))
	}
	if err != nil {
		if ctx.Err() == nil {
			s.broken.Store(true)
			err = s.explain(ctx, err)
		}
		return tool.Output{}, upstream(ctx, err)
	}
	return output(t.Client.Name, r)
}

// maxErrorText bounds the text of a server's error, in bytes.
const maxErrorText = 4 << 10

// upstream is a failure of the server, or the end of the call's time.
func upstream(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return &tool.BackendError{Kind: "upstream", Err: err}
}

// argumentsRefused begins the errors of servers that check arguments in the tool itself, as
// the official TypeScript SDK does, for unknown tools too.
const argumentsRefused = "MCP error -32602"

func badArguments(text string) error {
	return &tool.RequestError{Kind: tool.BadArguments, Err: errors.New(first(text))}
}

// refusal is an error that a tool reports as its result.
func refusal(text string) error {
	if strings.HasPrefix(text, argumentsRefused) {
		return badArguments(text)
	}
	return errors.New(first(text))
}

// first is the beginning of a text that a server wrote.
func first(text string) string {
	if len(text) > maxErrorText {
		return strings.ToValidUTF8(text[:maxErrorText], "") + "…"
	}
	return text
}
