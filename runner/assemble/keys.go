package assemble

import (
	"errors"

	"github.com/seed-5817661a/concur/internal/secret"
	"github.com/seed-5817661a/concur/runner/config"
)

// GuardKeys makes the Assembler refuse configurations that contain these keys, and remove the keys from the
// output of agents and servers.
func (a *Assembler) GuardKeys(keys []string) { a.keys = keys }

// CheckKeys refuses a configuration that contains a key of the environment; see GuardKeys.
func (a *Assembler) CheckKeys(c config.Configuration) error { return c.HoldsKey(a.keys) }

// withoutKeys removes keys from a text, such as an address from the environment, before it is recorded.
func (a *Assembler) withoutKeys(text string) string {
	return secret.Redact(secret.New(a.keys...).Hide(text))
}

// hiderOf returns a Hider for the values of the variables that a program gets, for further values, and for the
// keys of the environment.
func (a *Assembler) hiderOf(variables []string, values ...string) *secret.Hider {
	for _, name := range variables {
		values = append(values, secret.OfVariable(name, a.environ(name))...)
	}
	return secret.New(append(values, a.keys...)...)
}

// checkArms refuses configurations of a run that contain keys of the environment.
func (s *Session) checkArms() error {
	var wrong []error
	for _, arm := range s.Arms {
		wrong = append(wrong, s.a.CheckKeys(arm.Configuration))
	}
	return errors.Join(wrong...)
}
