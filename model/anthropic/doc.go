// Package anthropic implements a model behind Anthropic's Messages API, or a compatible gateway.
//
// It converts a conversation to turns and blocks, and a complete or streamed reply to a model.Response, and
// it classifies errors. One call is one attempt; a decorator retries.
package anthropic
