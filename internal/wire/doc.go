// Package wire is the mechanics that models behind HTTP share: the exchange of a request for
// a reply, keys that are never shown, replies of bounded length, server-sent events, the text
// of a reply told while it comes, and the sorting of what goes wrong on the way into the kinds
// of model.Error; what codes and words of providers mean is data (failures.tsv).
//
// It knows no provider's requests and replies; those stay with the provider. It imports
// runner/model, internal/pace and internal/secret.
package wire
