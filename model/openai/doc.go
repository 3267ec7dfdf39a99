// Package openai implements a model behind any endpoint with OpenAI's chat completions API: OpenAI itself,
// DashScope, vLLM, Ollama and others. Package model/endpoints describes their differences as data.
//
// It writes requests, converts replies and streams to a model.Response, and classifies errors. One call is
// one attempt; a decorator retries. Where possible, it uses the types of sashabaranov/go-openai;
// docs/models.md lists the exceptions.
package openai
