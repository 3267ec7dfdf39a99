// Package wire has the HTTP client code that all models share. It exchanges a request and its reply, limits the
// length of replies, reads server-sent events, and passes text on as it arrives. It never shows keys. It
// classifies failures into the kinds of model.Error; the codes and phrases of providers are data
// (failures.tsv).
//
// The requests and replies of each API are defined in the API's own package.
package wire
