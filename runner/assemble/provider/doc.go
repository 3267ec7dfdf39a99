// Package provider opens the models that a configuration names: with their keys and addresses, the limits of their
// endpoints, and the prices and the budget of a run. Keys and addresses come from an Environ; the package does not read
// the environment itself.
//
// To add a provider of models that speaks a known protocol, add a preset to model/endpoints. To add another provider,
// add a line to the table of local models or of protocols in New.
package provider
