// Package serve puts any model behind an OpenAI-compatible HTTP endpoint.
//
// It owns the server's side of that wire: reading a request into a model.Request without
// loss, writing the response, and saying every failure in OpenAI's form. What a
// model.Request cannot hold is refused by name rather than ignored, so that nobody
// measures a setting that had no effect.
//
// It may import runner/model.
package serve
