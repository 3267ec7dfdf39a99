// Package anthropic is a model behind Anthropic's Messages API, or a gateway that speaks it.
//
// It owns that wire (wire-formats §12.3): how a conversation is written in its turns and
// blocks, how a reply, whole or streamed, becomes one model.Response, and which kind of
// error each failure is. One call is one attempt; a decorator retries.
//
// It may import internal/wire and runner/model.
package anthropic
