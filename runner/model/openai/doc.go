// Package openai is a model behind any endpoint with OpenAI's chat completions API: OpenAI itself, DashScope, vLLM,
// Ollama and others. Their differences are data of runner/model/endpoints.
//
// It owns that API (wire-formats §12.1): the form of a request, the conversion of replies
// and streams to a model.Response, and the classification of errors. One call is one
// attempt; a decorator retries. Requests and replies use the types of
// sashabaranov/go-openai as far as possible; docs/models.md has the exceptions.
//
// It may import internal/wire, runner/model, runner/model/embed and runner/model/endpoints.
package openai
