// Package openai implements a model behind any endpoint with OpenAI's chat completions API: OpenAI itself,
// DashScope, vLLM, Ollama and others. Their differences are data of model/endpoints.
//
// It writes requests, converts replies and streams to a model.Response, and classifies errors. One call is
// one attempt; a decorator retries. Requests and replies use the types of sashabaranov/go-openai as far as
// possible; docs/models.md has the exceptions.
package openai
