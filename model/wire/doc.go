// Package wire has the HTTP client code that all models share: one exchange of request and reply, keys that
// are never shown, limits on the length of replies, server-sent events, text as it arrives, and the
// classification of failures into the kinds of model.Error. Providers' codes and phrases are data
// (failures.tsv).
//
// The requests and replies of each API are defined in the API's own package.
package wire
