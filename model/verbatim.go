package model

import "context"

type verbatimKey struct{}

// Verbatim marks the requests of a context as requests of a client with its own settings. If the provider
// refuses such a setting, it is not left out in a second attempt, because the client must know. Package serve
// marks its requests.
func Verbatim(ctx context.Context) context.Context {
	return context.WithValue(ctx, verbatimKey{}, true)
}

// IsVerbatim reports whether Verbatim marked the requests of a context.
func IsVerbatim(ctx context.Context) bool {
	marked, _ := ctx.Value(verbatimKey{}).(bool)
	return marked
}
