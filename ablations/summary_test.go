package ablations

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/model/endpoints"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/store"
)

func configured(name, model string) config.Configuration {
	c := config.New()
	c.Name, c.Model = name, model
	return c
}

func TestAdviceOnJudgesComesOnce(t *testing.T) {
	a, b, local := configured("a", "openai:a"), configured("b", "openai:b"), configured("local", "offline:reader")
	judged := configured("judged", "openai:a")
	judged.Judge.Quality = config.SameModel
	const rest = "; to have answers judged by a model, add --judge openai:gpt-4o, or judge: {correctness: …, quality: …} in concur.yaml"
	for _, c := range []struct {
		of       []config.Configuration
		freeText int
		want     []string
	}{
		{[]config.Configuration{a, b}, 3, []string{"no judge was asked" + rest}},
		{[]config.Configuration{a, judged, b, local}, 1, []string{"no judge was asked about a, b" + rest}},
		{[]config.Configuration{judged, local}, 3, nil},
		{[]config.Configuration{a, b}, 0, nil}, // typed golds need no judge
	} {
		var m store.Manifest
		var rows []result.Configuration
		for _, conf := range c.of {
			m.Configurations = append(m.Configurations, store.Configuration{Name: conf.Name, Configuration: conf})
			rows = append(rows, result.Configuration{Name: conf.Name, Traces: result.Traces{FreeText: c.freeText}})
		}
		if diff := cmp.Diff(c.want, adviseJudge(m, rows)); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	}
}

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
		got := ""
		if err := CheckRunWide(config.New(), row); err != nil {
			got = err.Error()
		}
		if (c.want == "") != (got == "") || !strings.HasPrefix(got, c.want) {
			t.Errorf("%s: found %q, want %q", name, got, c.want)
		}
	}
}
