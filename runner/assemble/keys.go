package assemble

import (
	"errors"

	"github.com/seed-5817661a/concur/internal/secret"
	"github.com/seed-5817661a/concur/runner/config"
)

// GuardKeys has the Assembler refuse these keys in configurations, and remove them from what agents and servers say.
func (a *Assembler) GuardKeys(keys []string) { a.keys = keys }

// CheckKeys refuses a configuration that holds a key of the environment; see GuardKeys.
func (a *Assembler) CheckKeys(c config.Configuration) error { return c.HoldsKey(a.keys) }

// withoutKeys is a text, such as an address of the environment, as it may be recorded.
func (a *Assembler) withoutKeys(text string) string {
	return secret.Redact(secret.New(a.keys...).Hide(text))
}

// hiderOf removes the values of variables that a program is given, further ones, and the keys of the environment.
func (a *Assembler) hiderOf(variables []string, values ...string) *secret.Hider {
	for _, name := range variables {
		values = append(values, secret.OfVariable(name, a.environ(name))...)
	}
	return secret.New(append(values, a.keys...)...)
}

// checkArms refuses keys of the environment in the configurations of a run.
func (s *Session) checkArms() error {
	var wrong []error
	for _, arm := range s.Arms {
		wrong = append(wrong, s.a.CheckKeys(arm.Configuration))
	}
	return errors.Join(wrong...)
}
