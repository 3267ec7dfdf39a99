package assemble

import (
	"errors"
	"maps"
	"slices"

	"github.com/seed-5817661a/concur/internal/secret"
	"github.com/seed-5817661a/concur/runner/config"
)

// GuardKeys sets the keys that are in the environment. The Assembler refuses configurations that contain one of
// them, and removes them from the output of agents and servers.
func (a *Assembler) GuardKeys(keys []string) { a.keys = keys }

// AddVariables adds the variables of a file, by name. They do not replace variables of the environment. Models
// and tools take keys and addresses from them. A program gets only those that the configuration names for it.
// Values that may be keys are hidden in the same places as keys of the environment. A second call replaces the
// variables of the first.
func (a *Assembler) AddVariables(variables map[string]string) {
	a.environ = func(name string) string {
		if value := a.process(name); value != "" {
			return value
		}
		return variables[name]
	}
	a.added = variables
	for _, name := range slices.Sorted(maps.Keys(variables)) {
		a.hidden = append(a.hidden, secret.OfVariable(name, variables[name])...)
	}
}

// CheckKeys returns an error if a configuration contains a key of the environment; see GuardKeys.
func (a *Assembler) CheckKeys(c config.Configuration) error { return c.HoldsKey(a.keys) }

// withoutKeys removes keys from a text before the text is recorded. Such a text is, for example, an address
// from the environment.
func (a *Assembler) withoutKeys(text string) string {
	return secret.Redact(a.hiderOf(nil).Hide(text))
}

// hiderOf returns a Hider that hides the values of these variables, the given values, and the keys of the
// environment.
func (a *Assembler) hiderOf(variables []string, values ...string) *secret.Hider {
	for _, name := range variables {
		values = append(values, secret.OfVariable(name, a.environ(name))...)
	}
	return secret.New(slices.Concat(values, a.keys, a.hidden)...)
}

// checkArms returns an error if a configuration of the run contains a key of the environment.
func (s *Session) checkArms() error {
	var wrong []error
	for _, arm := range s.Arms {
		wrong = append(wrong, s.a.CheckKeys(arm.Configuration))
	}
	return errors.Join(wrong...)
}
