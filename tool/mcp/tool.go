package mcp

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/seed-5817661a/concur/internal/secret"
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/tool"
	"github.com/seed-5817661a/concur/trace"
)

// Tool is a tool of a server. Calls of one server may run concurrently.
type Tool struct {
	Client *Client
	Described
}

// Spec returns the server's description of the tool. The tool is never pure, even if the server says so; a
// replay uses its recorded result.
func (d Described) Spec() tool.Spec {
	return tool.Spec{ToolSpec: model.ToolSpec{Name: d.Name, Description: d.Description, Parameters: d.Schema}}
}

// againAfter is the wait before a call of a read-only tool is repeated.
const againAfter = 200 * time.Millisecond

// Call calls the tool on the server. An error that the server reports is the agent's. If the server ended or
// broke the protocol, that is an upstream failure; the next call restarts the server, once per trace. A call
// of a read-only tool is repeated once if a server with a URL lost the connection or the session, or had no
// capacity.
func (t Tool) Call(ctx context.Context, arguments json.RawMessage) (tool.Output, error) {
	out, err := t.call(ctx, arguments)
	if _, lost := errors.AsType[lostCall](err); !lost || t.Writes || ctx.Err() != nil {
		return out, err
	}
	select {
	case <-ctx.Done():
		return out, err
	case <-time.After(againAfter):
	}
	t.Client.log("%s is called again after: %v", t.Remote, err)
	return t.call(ctx, arguments)
}

// notSent is the SDK's message for a request that its HTTP transport could not send. The message does not
// contain the cause.
const notSent = "rejected by transport"

// lostCall is the failure of a call whose request or reply was lost.
type lostCall struct{ error }

func (l lostCall) Unwrap() error { return l.error }

func (t Tool) call(ctx context.Context, arguments json.RawMessage) (tool.Output, error) {
	s, err := t.Client.session(ctx)
	if err != nil {
		return tool.Output{}, upstream(ctx, err)
	}
	request := &sdk.CallToolParams{Name: t.Remote, Arguments: arguments}
	if parent := tool.TraceparentOf(ctx); parent != "" { // the place that the conventions name
		request.Meta = sdk.Meta{"traceparent": parent}
	}
	r, err := s.CallTool(ctx, request)
	if err != nil && ctx.Err() == nil {
		if status := s.rejection(); status != "" { // the SDK's error does not contain the status
			return tool.Output{}, upstream(ctx, lostCall{fmt.Errorf("the server replied %s", status)})
		}
	}
	if wire, refused := errors.AsType[*jsonrpc.Error](err); refused && wire.Message == notSent {
		return tool.Output{}, upstream(ctx, lostCall{errors.New("the connection was lost")})
	} else if refused {
		err = errors.New(text.Clip(t.Client.Hider.Hide(wire.Message), maxErrorText))
		if wire.Code == jsonrpc.CodeInvalidParams {
			return tool.Output{}, &tool.RequestError{Kind: tool.BadArguments, Err: err}
		}
		return tool.Output{}, upstream(ctx, err)
	}
	if err != nil {
		if ctx.Err() == nil {
			s.broken.Store(true)
			if err = s.explain(ctx, err); s.cmd == nil { // a process may have ended because of this call
				err = lostCall{err}
			}
		}
		return tool.Output{}, upstream(ctx, err)
	}
	return output(t.Client.Name, t.Client.Hider, r)
}

// maxErrorText limits the text of a server's error, in characters.
const maxErrorText = 4 << 10

// upstream returns a failure of the server or, if ctx has ended, the error of a call without time.
func upstream(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return &tool.BackendError{Kind: "upstream", Err: err}
}

// argumentsRefused is the beginning of the errors of servers whose tools check their arguments themselves, as
// with the official TypeScript SDK. Such servers report unknown tools in the same way.
const argumentsRefused = "MCP error -32602"

// refusal returns the error for a result in which a tool reports an error.
func refusal(said string) error {
	err := errors.New(text.Clip(said, maxErrorText))
	if strings.HasPrefix(said, argumentsRefused) {
		return &tool.RequestError{Kind: tool.BadArguments, Err: err}
	}
	return err
}

// output converts a result to the form for the agent. It takes the structured content or, without it, all
// texts in order. Resources become documents, so that they can be cited. Images, sound and other bytes are
// replaced by a description. The server's keys are removed.
func output(server string, hider *secret.Hider, r *sdk.CallToolResult) (tool.Output, error) {
	var o tool.Output
	var blocks []any // in order, without the documents
	var texts []string
	for _, c := range r.Content {
		switch c := c.(type) {
		case *sdk.TextContent:
			texts = append(texts, c.Text)
			blocks = append(blocks, c.Text)
		case *sdk.ImageContent:
			blocks = append(blocks, bytesOf("image", c.MIMEType, c.Data))
		case *sdk.AudioContent:
			blocks = append(blocks, bytesOf("audio", c.MIMEType, c.Data))
		case *sdk.ResourceLink:
			o.Documents = append(o.Documents, document(server, c.URI, cmp.Or(c.Title, c.Name), c.Description))
		case *sdk.EmbeddedResource:
			switch {
			case c.Resource == nil:
			case len(c.Resource.Blob) == 0:
				o.Documents = append(o.Documents, document(server, c.Resource.URI, "", c.Resource.Text))
			default:
				blocks = append(blocks, bytesOf("resource", c.Resource.MIMEType, c.Resource.Blob))
			}
		default:
			blocks = append(blocks, map[string]any{"type": "unknown"})
		}
	}
	if r.IsError {
		return tool.Output{}, refusal(cmp.Or(hider.Hide(strings.Join(texts, "\n")),
			"the server reports an error without a text"))
	}
	switch structured, isObject := r.StructuredContent.(map[string]any); {
	case isObject:
		o.Object = structured
	case r.StructuredContent != nil:
		o.Object = map[string]any{"result": r.StructuredContent}
	case len(blocks) == len(texts):
		o.Object = map[string]any{"text": strings.Join(texts, "\n")}
	default:
		o.Object = map[string]any{"content": blocks}
	}
	hideKeys(hider, &o)
	return o, nil
}

// bytesOf returns a description of bytes, because a model cannot read the bytes themselves and they would
// cost tokens.
func bytesOf(kind, media string, data []byte) map[string]any {
	sum := sha256.Sum256(data)
	return map[string]any{"type": kind, "media_type": media, "bytes": len(data), "sha256": hex.EncodeToString(sum[:8])}
}

// document returns a resource as a document. It is unscored, because servers give no score.
func document(server, uri, title, text string) trace.Document {
	return trace.Document{Ref: uri, Source: uri, Title: cmp.Or(title, uri), Snippet: text, Score: 1, Unscored: true,
		Backend: server}
}
