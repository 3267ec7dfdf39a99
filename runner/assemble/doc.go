// Package assemble turns the names in a configuration into models, tools, a verifier and judges. No other
// package does this. Keys and addresses come from an Environ; the package does not read the environment itself.
//
// To add a provider of models that speaks a known protocol, add a preset to model/endpoints. To add another
// provider, add a line to the table of local models or of protocols in New. To add a tool, add a line to the
// table of tools. To add a search backend, add a line to the table of backends.
package assemble
