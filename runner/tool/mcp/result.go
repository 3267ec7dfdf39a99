package mcp

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/seed-5817661a/concur/runner/tool"
	"github.com/seed-5817661a/concur/runner/trace"
)

// output turns a result into what the agent sees: the structured content where there is some,
// else all texts in order; resources as documents, so that they can be cited; and of
// images, sound and other bytes only what they are.
func output(server string, r *sdk.CallToolResult) (tool.Output, error) {
	var o tool.Output
	var blocks []any // in order
	var texts []string
	only := true // texts
	for _, c := range r.Content {
		switch c := c.(type) {
		case *sdk.TextContent:
			texts = append(texts, c.Text)
			blocks = append(blocks, c.Text)
			continue
		case *sdk.ImageContent:
			blocks = append(blocks, bytesOf("image", c.MIMEType, c.Data))
		case *sdk.AudioContent:
			blocks = append(blocks, bytesOf("audio", c.MIMEType, c.Data))
		case *sdk.ResourceLink:
			o.Documents = append(o.Documents, document(server, c.URI, cmp.Or(c.Title, c.Name), c.Description))
			continue
		case *sdk.EmbeddedResource:
			if c.Resource == nil {
				continue
			}
			if len(c.Resource.Blob) == 0 {
				o.Documents = append(o.Documents, document(server, c.Resource.URI, "", c.Resource.Text))
				continue
			}
			blocks = append(blocks, bytesOf("resource", c.Resource.MIMEType, c.Resource.Blob))
		default:
			blocks = append(blocks, map[string]any{"type": "unknown"})
		}
		only = false
	}
	if r.IsError {
		return tool.Output{}, refusal(cmp.Or(strings.Join(texts, "\n"), "the server reports an error without a text"))
	}
	switch structured, isObject := r.StructuredContent.(map[string]any); {
	case isObject:
		o.Object = structured
	case r.StructuredContent != nil:
		o.Object = map[string]any{"result": r.StructuredContent}
	case only:
		o.Object = map[string]any{"text": strings.Join(texts, "\n")}
	default:
		o.Object = map[string]any{"content": blocks}
	}
	return o, nil
}

// bytesOf says what bytes are, which a model would pay for without being able to read them.
func bytesOf(kind, media string, data []byte) map[string]any {
	sum := sha256.Sum256(data)
	return map[string]any{"type": kind, "media_type": media, "bytes": len(data), "sha256": hex.EncodeToString(sum[:8])}
}

// document is a resource. A server does not say how relevant it is.
func document(server, uri, title, text string) trace.Document {
	return trace.Document{Ref: uri, Source: uri, Title: cmp.Or(title, uri), Snippet: text, Score: 1, Backend: server}
}
