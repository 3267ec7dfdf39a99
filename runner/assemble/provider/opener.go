package provider

import (
	"github.com/seed-5817661a/concur/model/endpoints"
	"github.com/seed-5817661a/concur/runner/config"
)

// Environ returns the value of an environment variable; "" if it is not set.
type Environ = func(name string) string

// Opener opens models by their names in a configuration, and knows the secrets of the environment.
type Opener struct {
	environ   Environ
	process   Environ           // environ without the variables of AddVariables
	keys      []string          // secrets in the environment, see GuardKeys
	added     map[string]string // the variables of AddVariables
	hidden    []string          // further values that are hidden, see AddVariables
	local     map[string]localModel
	protocols map[endpoints.Kind]protocol
}

// Variable returns the value of a variable of the environment or of AddVariables; "" if it is not set.
func (o *Opener) Variable(name string) string { return o.environ(name) }

// ProcessVariable returns the value of a variable of the environment only; "" if it is not set.
func (o *Opener) ProcessVariable(name string) string { return o.process(name) }

// Added returns the value of a variable of AddVariables, and whether there is one of that name.
func (o *Opener) Added(name string) (value string, added bool) {
	value, added = o.added[name]
	return value, added
}

// New returns an Opener with all local models and protocols.
func New(environ Environ) *Opener {
	return &Opener{
		environ: environ,
		process: environ,
		local: map[string]localModel{
			config.OfflineProvider: {openOffline, offlineVersion},
		},
		protocols: map[endpoints.Kind]protocol{
			endpoints.OpenAI:    openOpenAI,
			endpoints.Anthropic: openAnthropic,
			endpoints.Responses: openResponses,
		},
	}
}
