package model

import "context"

type verbatimKey struct{}

// Verbatim marks the requests of a context as those of a client with settings of its own: none is left out after the
// provider has refused it, since the client has to know. Package serve marks its own.
func Verbatim(ctx context.Context) context.Context {
	return context.WithValue(ctx, verbatimKey{}, true)
}

// IsVerbatim reports whether the requests of a context are so marked.
func IsVerbatim(ctx context.Context) bool {
	marked, _ := ctx.Value(verbatimKey{}).(bool)
	return marked
}
