// Package model defines the interface of language models: messages, requests with their
// identity, responses, usage and typed errors.
//
// It owns no provider and imports no package of this module, so a provider outside this
// repository needs only this package.
package model
