// Package openai is a model behind any endpoint that speaks OpenAI's chat completions:
// OpenAI itself, DashScope, vLLM, Ollama and others. In what they differ is data of
// runner/model/endpoints.
//
// It owns that wire (wire-formats §12.1): what a request looks like on it, how its many
// replies and streams become one model.Response, and which kind of error each failure is.
// One call is one attempt; a decorator retries. Requests are written, and replies read once,
// by the types of sashabaranov/go-openai as far as they reach; docs/models.md says how far.
//
// It may import internal/wire, runner/model and runner/model/endpoints.
package openai
