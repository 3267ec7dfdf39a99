// Package serve puts any model behind an HTTP endpoint that is compatible with OpenAI's chat
// completions and Responses, and with Anthropic's Messages.
//
// It owns the server's side of these wires: reading a request into a model.Request without loss, writing the
// response, and saying every failure in the wire's form. A setting that was not sent is not invented, and one that a
// model.Request has no field for goes to the provider as it is. What would change the reply and cannot be done here
// is refused by name, so that nobody measures a setting that had no effect; settings.tsv has the names.
package serve
