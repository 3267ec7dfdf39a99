package assemble

import (
	"errors"

	"github.com/seed-5817661a/concur/internal/secret"
	"github.com/seed-5817661a/concur/runner/config"
)

// GuardKeys sets the keys of the environment. The Assembler refuses configurations that contain them, and
// removes them from the output of agents and servers.
func (a *Assembler) GuardKeys(keys []string) { a.keys = keys }

// CheckKeys returns an error if a configuration contains a key of the environment; see GuardKeys.
func (a *Assembler) CheckKeys(c config.Configuration) error { return c.HoldsKey(a.keys) }

// withoutKeys removes keys from a text, such as an address from the environment, before the text is recorded.
func (a *Assembler) withoutKeys(text string) string {
	return secret.Redact(secret.New(a.keys...).Hide(text))
}

// hiderOf returns a Hider of the values of these variables, of further values, and of the environment's keys.
func (a *Assembler) hiderOf(variables []string, values ...string) *secret.Hider {
	for _, name := range variables {
		values = append(values, secret.OfVariable(name, a.environ(name))...)
	}
	return secret.New(append(values, a.keys...)...)
}

// checkArms returns an error if a configuration of the run contains a key of the environment.
func (s *Session) checkArms() error {
	var wrong []error
	for _, arm := range s.Arms {
		wrong = append(wrong, s.a.CheckKeys(arm.Configuration))
	}
	return errors.Join(wrong...)
}
