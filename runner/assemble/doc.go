// Package assemble turns the names in a configuration into tools, agents, a verifier and judges. No other package
// does this. Package provider opens their models.
//
// To add a tool, add a line to the table of tools in New. To add a search backend, add a line to the table of backends.
package assemble
