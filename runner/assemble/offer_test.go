package assemble_test

import (
	"testing"

	"github.com/seed-5817661a/concur/model/endpoints"
	"github.com/seed-5817661a/concur/runner/assemble"
	"github.com/seed-5817661a/concur/runner/config"
)

// The limit of tools changes no request, so it is not part of a model's version, and agent hashes stay.
func TestToolLimitIsInNoHash(t *testing.T) {
	a := assemble.New(func(string) string { return "" }, assemble.Build{})
	c := config.New()
	c.Model = "openai:gpt-4o"
	preset := a.Versions(c)["model"]
	c.Providers = map[string]endpoints.Endpoint{"openai": {MaxTools: 5}}
	if got := a.Versions(c)["model"]; got != preset {
		t.Errorf("with another limit the version is %s, not %s", got, preset)
	}
}
