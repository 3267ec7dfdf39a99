package price_test

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/model/price"
)

func builtin(t testing.TB) *price.Table {
	t.Helper()
	table, err := price.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// load reads a file with this text over a table.
func load(t testing.TB, table *price.Table, text string) (*price.Table, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "prices.yaml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return table.Load(path)
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9*max(1, math.Abs(b)) }

func TestBuiltin(t *testing.T) {
	table := builtin(t)
	for _, c := range []struct {
		provider, model string
		input           float64
		ok              bool
	}{
		{"openai", "gpt-4o", 2.5, true},
		{"openai", "gpt-4o-2024-08-06", 2.5, true},
		{"openai", "gpt-4o-2024-05-13", 5, true}, // a snapshot with its own row
		{"openai", "gpt-4o-mini-2024-07-18", 0.15, true},
		{"anthropic", "claude-3-5-sonnet-20241022", 3, true},
		{"anthropic", "claude-3-5-sonnet-latest", 3, true},
		{"deepseek", "deepseek-reasoner", 0.28, true},
		{"mistral", "mistral-large-2411", 2, true},
		{"gemini", "gemini-2.5-flash", 0.3, true},
		{"openai", "gpt-4o-", 0, false},
		{"openai", "gpt-4o-audio-preview", 0, false},
		{"openai", "gpt-4o-2024-99-99", 0, false},
		{"openai", "gpt-4o-2024-08-06-x", 0, false},
		{"openai", "gpt-3.5-turbo-0613", 0, false}, // has another price than gpt-3.5-turbo
		{"local", "gpt-4o", 0, false},
		{"openai", "", 0, false},
		{"", "openai:gpt-4o", 0, false},
	} {
		p, ok := table.Price(c.provider, c.model)
		if ok != c.ok || p.Input != c.input {
			t.Errorf("%s:%s: %+v, %v", c.provider, c.model, p, ok)
		}
		if usd, has := table.Cost(c.provider, c.model, model.Usage{InputTokens: 2_000_000}); has != ok || !near(usd, 2*c.input) {
			t.Errorf("%s:%s: $%v, %v", c.provider, c.model, usd, has)
		}
	}
}

func TestCost(t *testing.T) {
	p := price.Price{Input: 2.5, Cached: 1.25, Write: 3, WriteLong: 5, Output: 10}
	for _, c := range []struct {
		usage model.Usage
		want  float64
	}{
		{model.Usage{}, 0},
		{model.Usage{InputTokens: 1_000_000}, 2.5},
		{model.Usage{OutputTokens: 1_000_000}, 10},
		{model.Usage{InputTokens: 1_000_000, CachedTokens: 400_000}, 0.6*2.5 + 0.4*1.25},
		{model.Usage{InputTokens: 1000, CachedTokens: 5000}, 0.00125}, // more cached than read
		{model.Usage{InputTokens: 1_000_000, CachedTokens: 400_000, CacheWriteTokens: 300_000, CacheLongTokens: 100_000},
			0.3*2.5 + 0.4*1.25 + 0.2*3 + 0.1*5},
		{model.Usage{InputTokens: 1000, CacheWriteTokens: 5000, CacheLongTokens: 9000}, 0.005}, // more written than read
		{model.Usage{InputTokens: 1000, CacheWriteTokens: -3, CacheLongTokens: 9}, 0.0025},
		{model.Usage{InputTokens: -5, OutputTokens: -5, CachedTokens: -5}, 0},
		{model.Usage{InputTokens: 1000, CachedTokens: -7}, 0.0025},
	} {
		if got := p.Cost(c.usage); !near(got, c.want) {
			t.Errorf("%+v costs %v, want %v", c.usage, got, c.want)
		}
	}
}

func TestLoadStandsOverTheTable(t *testing.T) {
	before := builtin(t)
	after, err := load(t, before, `
prices:
  - {model: "openai:gpt-4o", input: 1, output: 2}
  - {model: "local:llama", aliases: ["local:llama-latest"], input: 0, output: 0}
  - {model: "openai:gpt-4o-2024-08-06", input: 7, cached: 3, output: 8}
`)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		provider, model string
		want            price.Price
	}{
		{"openai", "gpt-4o", price.Price{Input: 1, Cached: 1, Write: 1, WriteLong: 1, Output: 2}},
		{"openai", "gpt-4o-2024-08-06", price.Price{Input: 7, Cached: 3, Write: 7, WriteLong: 7, Output: 8}},
		{"openai", "gpt-4o-2024-11-20", price.Price{Input: 1, Cached: 1, Write: 1, WriteLong: 1, Output: 2}},
		{"local", "llama-latest", price.Price{}},
	} {
		if p, ok := after.Price(c.provider, c.model); !ok || p != c.want {
			t.Errorf("%s:%s: %+v, %v", c.provider, c.model, p, ok)
		}
	}
	if p, _ := before.Price("openai", "gpt-4o"); p.Input != 2.5 {
		t.Error("the table that was loaded over has changed")
	}
	if p, ok := after.Price("openai", "gpt-4.1"); !ok || p.Input != 2 {
		t.Error("other rows are gone")
	}
	if empty, err := load(t, &price.Table{}, `prices: [{model: "a:b", input: 1, output: 1}]`); err != nil {
		t.Errorf("over the empty table: %v", err)
	} else if _, ok := empty.Price("a", "b"); !ok {
		t.Error("the row over the empty table is gone")
	}
}

func TestLoadRefuses(t *testing.T) {
	for _, c := range []struct{ text, says string }{
		{`prices: [{model: "a:b", input: -1, output: 1}]`, "yaml:1:32: prices[0].input: -1 is not a price"},
		{`prices: [{model: "a:b", input: 1, output: 10001}]`, "10001 is not a price: give USD per million tokens, 0 to 10000"},
		{`prices: [{model: "a:b", input: .nan, output: 1}]`, "prices[0].input"},
		{`prices: [{model: "a:b", input: .inf, output: 1}]`, "prices[0].input"},
		{`prices: [{model: "a:b", input: "1", output: 1}]`, "prices[0].input"},
		{`prices: [{model: "a:b", input: 1, cached: 2, output: 1}]`, "cached input (2) costs more than input (1)"},
		{`prices: [{model: "a:b", input: 1}]`, "yaml:1:10: prices[0]: output is missing"},
		{`prices: [{input: 1, output: 1}]`, "model is missing"},
		{`prices: [{model: "gpt-4o", input: 1, output: 1}]`, `"gpt-4o" is not provider:model`},
		{`prices: [{model: "a:b?timeout=3s", input: 1, output: 1}]`, "is not provider:model"},
		{`prices: [{model: "a:b", aliases: [c], input: 1, output: 1}]`, "aliases[0]"},
		{`prices: [{model: "a:b", input: 1, outptu: 1}]`, `did you mean "output"`},
		{"prices:\n- {model: \"a:b\", input: 1, output: 1}\n- {model: \"a:b\", input: 1, output: 1}", "yaml:3:3: prices[1]: a:b has a price already, on line 2"},
		{``, "prices.yaml"},
	} {
		table, err := load(t, builtin(t), c.text)
		if err == nil || table != nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s\n%v\nlacks %q", c.text, err, c.says)
		}
	}
	if _, err := builtin(t).Load(filepath.Join(t.TempDir(), "none.yaml")); err == nil || !strings.Contains(err.Error(), "none.yaml") {
		t.Error(err)
	}
}

// A cost is never negative, grows with the usage, falls with cached tokens, and the costs of parts add up.
func TestCostProperty(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		rate := rapid.Float64Range(0, 10_000)
		p := price.Price{Input: rate.Draw(rt, "input"), Output: rate.Draw(rt, "output")}
		p.Cached = p.Input * rapid.Float64Range(0, 1).Draw(rt, "cached")
		usage := rapid.Custom(func(rt *rapid.T) model.Usage {
			u := model.Usage{InputTokens: rapid.IntRange(0, 1<<32).Draw(rt, "in"), OutputTokens: rapid.IntRange(0, 1<<32).Draw(rt, "out")}
			u.CachedTokens = rapid.IntRange(0, u.InputTokens).Draw(rt, "cached")
			return u
		})
		u, v := usage.Draw(rt, "u"), usage.Draw(rt, "v")
		if a, b, sum := p.Cost(u), p.Cost(v), p.Cost(u.Add(v)); a < 0 || !near(a+b, sum) || sum < a*(1-1e-9) {
			rt.Errorf("%v and %v make %v", a, b, sum)
		}
		uncached := u
		uncached.CachedTokens = 0
		if p.Cost(u) > p.Cost(uncached)*(1+1e-9) {
			rt.Errorf("caching made %+v dearer", u)
		}
	})
}

// Reading any file neither panics nor gives an absurd price.
func FuzzLoad(f *testing.F) {
	f.Add(`prices: [{model: "a:b", aliases: ["a:c"], input: 1, cached: 0.5, output: 2, as_of: 2025-08, source: x}]`)
	f.Add("as_of: 2025-12\nprices: []")
	f.Add(`prices: [{model: "a:b", input: -1e400, output: .nan}]`)
	f.Add("prices: &a [*a]")
	f.Fuzz(func(t *testing.T, text string) {
		table, err := load(t, &price.Table{}, text)
		if err != nil {
			return
		}
		if usd, ok := table.Cost("a", "b", model.Usage{InputTokens: 1_000_000, CachedTokens: 500_000, OutputTokens: 1_000_000}); ok && !(usd >= 0 && usd <= 20_000) {
			t.Errorf("$%v", usd)
		}
	})
}

// Cache writes cost as much as a row or its provider says. A service tier is a multiple of all rates.
func TestTiersAndWrites(t *testing.T) {
	table, err := load(t, builtin(t), `
tiers: {own: {batch: 0.5, rush: 3}}
cache_writes: {own: {short: 1.25, long: 2}}
prices:
  - {model: "own:a", input: 4, output: 8}
  - {model: "own:b", input: 4, write: 6, output: 8}
  - {model: "other:a", input: 4, output: 8}
`)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		provider, model, tier string
		want                  price.Price
		ok                    bool
	}{
		{"own", "a", "", price.Price{Input: 4, Cached: 4, Write: 5, WriteLong: 8, Output: 8}, true},
		{"own", "a", "default", price.Price{Input: 4, Cached: 4, Write: 5, WriteLong: 8, Output: 8}, true},
		{"own", "a", "batch", price.Price{Input: 2, Cached: 2, Write: 2.5, WriteLong: 4, Output: 4}, true},
		{"own", "b", "rush", price.Price{Input: 12, Cached: 12, Write: 18, WriteLong: 24, Output: 24}, true},
		{"other", "a", "", price.Price{Input: 4, Cached: 4, Write: 4, WriteLong: 4, Output: 8}, true},
		{"own", "a", "turbo", price.Price{}, false},
		{"own", "c", "batch", price.Price{}, false},
	} {
		if p, ok := table.AtTier(c.provider, c.model, c.tier); p != c.want || ok != c.ok {
			t.Errorf("%s:%s at %q: %+v, %v, want %+v", c.provider, c.model, c.tier, p, ok, c.want)
		}
	}
	if p, ok := table.AtTier("anthropic", "claude-haiku-4-5", ""); !ok || p.Write != 1.25 || p.WriteLong != 2 {
		t.Errorf("a cache write of Claude Haiku 4.5: %+v", p)
	}
	for _, text := range []string{`tiers: {a: {b: 0}}`, `tiers: {a: {b: -1}}`, `cache_writes: {a: {short: .nan}}`, `cache_writes: {a: {longer: 2}}`} {
		if _, err := load(t, builtin(t), text+"\nprices: []"); err == nil {
			t.Errorf("%s is read", text)
		}
	}
}
