// Package wire is the HTTP client code that models share: the exchange of a request for a reply, keys that are never
// shown, replies of limited length, server-sent events, the text of a reply as it arrives, and the classification of
// failures into the kinds of model.Error. The codes and phrases of providers are data (failures.tsv).
//
// Requests and replies of a provider belong to its package. It imports model,
// model/endpoints, internal/pace and internal/secret.
package wire
