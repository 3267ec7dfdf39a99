// Package serve serves any model over an HTTP endpoint that is compatible with OpenAI's chat completions and
// Responses, and with Anthropic's Messages.
//
// It implements the server's side of these protocols: reading a request into a model.Request without loss,
// writing the response, and reporting every failure in the protocol's form. It adds no settings, and passes a
// setting without a field in model.Request to the provider unchanged. A setting that would change the reply but
// is not supported is refused by name, so that no measurement depends on a setting without effect; settings.tsv
// lists the names.
package serve
