// Package responses implements a model behind OpenAI's Responses API, or a compatible server.
//
// It writes requests, converts replies and streams to a model.Response, and classifies errors
// (https://platform.openai.com/docs/api-reference/responses). It uses the API without state: the provider
// stores nothing, and each request has the whole conversation, including the unchanged items of earlier
// replies. One call is one attempt; a decorator retries.
package responses
