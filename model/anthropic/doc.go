// Package anthropic implements a model behind Anthropic's Messages API, or a compatible gateway.
//
// It writes a conversation as turns and blocks, converts a whole or streamed reply to a model.Response, and
// classifies errors. One call is one attempt; a decorator retries.
package anthropic
