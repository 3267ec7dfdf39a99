// Package responses is a model behind OpenAI's Responses API, or a server that is compatible with it.
//
// It owns that API (https://platform.openai.com/docs/api-reference/responses): the form of a request, the conversion
// of replies and streams to a model.Response, and the classification of errors. It uses the API without state: nothing
// is stored at the provider, and each request has the whole conversation with the items of earlier replies, unchanged
// and in order. One call is one attempt; a decorator retries.
package responses
