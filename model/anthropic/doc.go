// Package anthropic is a model behind Anthropic's Messages API, or a compatible gateway.
//
// It owns that API: the notation of a conversation in turns and
// blocks, the conversion of a reply, whole or streamed, to a model.Response, and the
// classification of errors. One call is one attempt; a decorator retries.
package anthropic
