// Package wire contains the HTTP client code that models share: one exchange of request and reply, keys that
// are never shown, replies of limited length, server-sent events, text as it arrives, and the classification
// of failures into the kinds of model.Error. Providers' codes and phrases are data (failures.tsv).
//
// A provider's own package defines its requests and replies.
package wire
