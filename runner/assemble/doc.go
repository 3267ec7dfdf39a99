// Package assemble turns the names in a configuration into models, tools, a verifier and judges, and is the only
// place that does. Keys and addresses come from an Environ; the package reads no environment itself.
//
// A new provider of models is a line in New's tables of local models or of protocols (one
// that speaks a known protocol is a preset of model/endpoints alone); a new tool is a
// line in its table of tools, a new search backend one in that of backends.
package assemble
