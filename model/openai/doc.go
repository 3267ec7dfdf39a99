// Package openai is a model behind any endpoint with OpenAI's chat completions API: OpenAI itself, DashScope, vLLM,
// Ollama and others. Their differences are data of model/endpoints.
//
// It owns that API: the form of a request, the conversion of replies
// and streams to a model.Response, and the classification of errors. One call is one
// attempt; a decorator retries. Requests and replies use the types of
// sashabaranov/go-openai as far as possible; docs/models.md has the exceptions.
package openai
