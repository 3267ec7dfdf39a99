// Package wire is the mechanics that models behind HTTP share: keys that are never shown,
// replies of bounded length, server-sent events, the text of a reply told while it comes,
// and the sorting of what goes wrong on the way into the kinds of model.Error.
//
// It knows no provider's requests, replies or codes of failure; those stay with the
// provider. It imports runner/model and
// internal/pace and internal/secret.
package wire
