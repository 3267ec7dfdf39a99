package assemble

import (
	"errors"
	"maps"
	"slices"

	"github.com/seed-5817661a/concur/internal/secret"
	"github.com/seed-5817661a/concur/runner/config"
)

// GuardKeys sets the keys of the environment. The Assembler refuses configurations that contain them, and
// removes them from the output of agents and servers.
func (a *Assembler) GuardKeys(keys []string) { a.keys = keys }

// AddVariables adds the variables of a file, by name, which do not replace those of the environment. Models and tools
// get keys and addresses from them, and programs those that the configuration names for them. Values that may be keys
// are hidden wherever the keys of the environment are.
func (a *Assembler) AddVariables(variables map[string]string) {
	process := a.environ
	a.environ = func(name string) string {
		if value := process(name); value != "" {
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

// withoutKeys removes keys from a text, such as an address from the environment, before the text is recorded.
func (a *Assembler) withoutKeys(text string) string {
	return secret.Redact(a.hiderOf(nil).Hide(text))
}

// hiderOf returns a Hider of the values of these variables, of further values, and of the environment's keys.
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
