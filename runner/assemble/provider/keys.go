package provider

import (
	"maps"
	"slices"

	"github.com/seed-5817661a/concur/internal/secret"
	"github.com/seed-5817661a/concur/runner/config"
)

// GuardKeys sets the keys that are in the environment. It refuses configurations that contain one of
// them, and removes them from the output of agents and servers.
func (o *Opener) GuardKeys(keys []string) { o.keys = keys }

// AddVariables adds the variables of a file, by name. They do not replace variables of the environment. Models
// and tools take keys and addresses from them. A program gets only those that the configuration names for it.
// Values that may be keys are hidden in the same places as keys of the environment. A second call replaces the
// variables of the first.
func (o *Opener) AddVariables(variables map[string]string) {
	o.environ = func(name string) string {
		if value := o.process(name); value != "" {
			return value
		}
		return variables[name]
	}
	o.added = variables
	for _, name := range slices.Sorted(maps.Keys(variables)) {
		o.hidden = append(o.hidden, secret.OfVariable(name, variables[name])...)
	}
}

// CheckKeys returns an error if a configuration contains a key of the environment; see GuardKeys.
func (o *Opener) CheckKeys(c config.Configuration) error { return c.HoldsKey(o.keys) }

// withoutKeys removes keys from a text before the text is recorded. Such a text is, for example, an address
// from the environment.
func (o *Opener) withoutKeys(text string) string {
	return secret.Redact(o.HiderOf(nil).Hide(text))
}

// HiderOf returns a Hider that hides the values of these variables, the given values, and the keys of the
// environment.
func (o *Opener) HiderOf(variables []string, values ...string) *secret.Hider {
	for _, name := range variables {
		values = append(values, secret.OfVariable(name, o.environ(name))...)
	}
	return secret.New(slices.Concat(values, o.keys, o.hidden)...)
}
