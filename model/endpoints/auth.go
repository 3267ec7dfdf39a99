package endpoints

import (
	"errors"
	"fmt"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/seed-5817661a/concur/internal/lazy"
	"github.com/seed-5817661a/concur/internal/strictyaml"
)

// Auth names the source of an endpoint's key. The key itself must be in the environment.
type Auth struct {
	None bool     // no key is sent
	Env  []string // names of variables; the first that is set has the key
}

func (a Auth) set() bool { return a.None || len(a.Env) > 0 }

// IsZero reports whether Auth is not set, so that yaml.v3 omits it.
func (a Auth) IsZero() bool { return !a.set() }

// UnmarshalNode reads "none" or {env: NAME}. Errors do not repeat the input, which may be a key.
func (a *Auth) UnmarshalNode(n *yaml.Node) error {
	*a = Auth{}
	if n.Kind == yaml.ScalarNode {
		if n.Value != "none" {
			return errors.New("must be none, or {env: NAME} with the name of the variable that has the key; never " +
				"the key itself")
		}
		a.None = true
		return nil
	}
	var in struct {
		Env string `yaml:"env"`
	}
	if err := strictyaml.DecodeNode(n, &in); err != nil {
		return err
	}
	a.Env = []string{in.Env}
	return a.validate()
}

// UnmarshalYAML does the same as UnmarshalNode, for plain decoders.
func (a *Auth) UnmarshalYAML(n *yaml.Node) error { return a.UnmarshalNode(n) }

// MarshalYAML writes the form that UnmarshalNode reads; several names become a list.
func (a Auth) MarshalYAML() (any, error) {
	switch {
	case a.None:
		return "none", nil
	case len(a.Env) == 1:
		return map[string]string{"env": a.Env[0]}, nil
	default:
		return map[string][]string{"env": a.Env}, nil
	}
}

// variable matches portable names of environment variables. Most keys have another form.
var variable = lazy.Compile(`^[A-Z_][A-Z0-9_]{0,63}$`)

func (a Auth) validate() error {
	for _, name := range a.Env {
		if !variable.MatchString(name) {
			return errors.New("auth.env is not the name of a variable: give one such as MY_API_KEY, not the key itself " +
				"here")
		}
	}
	return nil
}

// Resolve reads address and key from the environment. An address from the environment needs no key, because
// it may be a local server, unless the endpoint has no other address. In all other cases a missing key is an
// error.
func (e Endpoint) Resolve(getenv func(string) string) (resolved Endpoint, key string, err error) {
	moved := false
	if e.AddressEnv != "" {
		if address := strings.TrimSpace(getenv(e.AddressEnv)); address != "" {
			e.BaseURL, moved = address, e.BaseURL != ""
		}
	}
	if e.BaseURL == "" && e.AddressEnv != "" {
		return e, "", fmt.Errorf("%s is not set: set it to the address of %s, or set providers.%[2]s.base_url",
			e.AddressEnv, e.Name)
	}
	for _, name := range e.Auth.Env {
		if key = strings.TrimSpace(getenv(name)); key != "" {
			return e, key, nil
		}
	}
	if len(e.Auth.Env) == 0 || moved {
		return e, "", nil
	}
	text := strings.Join(e.Auth.Env, " or ") + " is not set: set it to a key for " + e.Name
	if e.AddressEnv != "" && e.Path == "" {
		text += ", or set " + e.AddressEnv + " to an endpoint that needs no key"
	}
	return e, "", errors.New(text)
}

// KeyHint explains how to set the key if it is missing or refused.
func (e Endpoint) KeyHint() string {
	if len(e.Auth.Env) > 0 {
		return "set " + strings.Join(e.Auth.Env, " or ") + " to a key with access to this model"
	}
	return fmt.Sprintf("no key is sent: set providers.%s.auth to {env: NAME}, the variable with the key", e.Name)
}

// AddressHint returns the name of the setting for the address.
func (e Endpoint) AddressHint() string {
	if e.AddressEnv != "" {
		return e.AddressEnv
	}
	return "providers." + e.Name + ".base_url"
}
