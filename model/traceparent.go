package model

import "context"

type traceparentKey struct{}

// WithTraceparent returns a context whose requests to other servers carry the header traceparent of W3C Trace Context,
// so that the spans of these servers join the spans of the run. The header is no part of a Request: it changes neither
// a recording nor a digest of what was sent. "" sends none.
func WithTraceparent(ctx context.Context, value string) context.Context {
	return context.WithValue(ctx, traceparentKey{}, value)
}

// Traceparent returns the value of WithTraceparent; "" without one.
func Traceparent(ctx context.Context) string {
	value, _ := ctx.Value(traceparentKey{}).(string)
	return value
}
