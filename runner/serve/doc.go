// Package serve serves any model over an HTTP endpoint that is compatible with OpenAI's chat completions and
// Responses, and with Anthropic's Messages.
//
// It implements the server's side of these protocols: it reads a request into a model.Request without loss,
// writes the response, and reports every failure in the protocol's form. A setting without a field in
// model.Request is passed to the provider unchanged. A setting that would change the reply but is not
// supported is refused by name, so that no measurement relies on a setting without effect; settings.tsv lists
// the names.
package serve
