package main

import (
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/model/endpoints"
)

// What holds for a run as a whole is found in every row that has it otherwise.
func TestRunWide(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*config.Configuration)
		want   string // the beginning of what is found; "" for nothing
	}{
		"nothing": {func(*config.Configuration) {}, ""},
		"agent":   {func(c *config.Configuration) { c.Model, c.K = "openai:b", 1 }, ""},
		"limits":  {func(c *config.Configuration) { c.Limits.RPM = 5 }, "limits.rpm: "},
		"providers": {func(c *config.Configuration) {
			c.Providers = map[string]endpoints.Endpoint{"mine": {Kind: endpoints.OpenAI, BaseURL: "http://localhost"}}
		}, "providers"},
		"prices": {func(c *config.Configuration) { c.Prices = "mine.yaml" }, "prices: "},
	} {
		row := config.New()
		c.change(&row)
		got := strings.Join(runWide(config.New(), row), "; ")
		if (c.want == "") != (got == "") || !strings.HasPrefix(got, c.want) {
			t.Errorf("%s: found %q, want %q", name, got, c.want)
		}
	}
}
