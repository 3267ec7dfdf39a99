// Package model is the vocabulary that every language model speaks here: messages,
// requests with their identity, responses, usage and typed errors, and the one
// interface that providers implement.
//
// It owns no provider. It imports nothing of ours, so that a provider outside this
// repository needs this package alone.
package model
