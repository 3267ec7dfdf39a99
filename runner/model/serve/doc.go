// Package serve puts any model behind an HTTP endpoint that is compatible with OpenAI's chat
// completions and with Anthropic's Messages.
//
// It owns the server's side of both wires: reading a request into a model.Request without
// loss, writing the response, and saying every failure in the wire's form. What a
// model.Request cannot hold is refused by name rather than ignored, so that nobody
// measures a setting that had no effect.
//
// It may import runner/model.
package serve
