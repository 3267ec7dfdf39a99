// Package assemble turns the names in a configuration into models, tools, a verifier and judges. No other
// package does. Keys and addresses come from an Environ; the package does not read the environment itself.
//
// To add a provider of models, add a line to New's table of local models or of protocols (or, if it speaks a
// known protocol, only a preset to model/endpoints). To add a tool, add a line to its table of tools; to add a
// search backend, a line to the table of backends.
package assemble
