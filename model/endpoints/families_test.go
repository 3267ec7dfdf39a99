package endpoints_test

import (
	"regexp"
	"slices"
	"testing"

	"github.com/seed-5817661a/concur/model/endpoints"
)

// Families are recognised by the model's name in any gateway's form. Models that accept a temperature get
// one.
func TestFitted(t *testing.T) {
	gateway := endpoints.Endpoint{Name: "gateway", Kind: endpoints.OpenAI}
	for name, refuses := range map[string]bool{
		"claude-opus-4-7": true, "claude-opus-4-8-20260801": true, "anthropic/claude-opus-4.7": true, "Claude-Opus-5.5": true,
		"us.anthropic.claude-sonnet-5-v1:0": true, "claude-sonnet-5-5": true, "claude-haiku-5-5": true, "claude-fable-5": true,
		"claude-mythos-5-1": true, "o3": true, "o1-mini": true, "openai/o4-mini": true, "gpt-5": true, "gpt-5-mini-2025-08-07": true,
		"gpt-6": true, "openai/gpt-6-sol": true,
		"claude-opus-4-6": false, "claude-sonnet-4-6": false, "claude-haiku-4-5": false, "claude-sonnet-4-5-20250929": false,
		"claude-3-5-sonnet-latest": false, "claude-opus-4-20250514": false, "anthropic.claude-3-5-haiku-20241022-v1:0": false,
		"gpt-5-chat-latest": false, "gpt-5.2": false, "gpt-4o": false, "o10": false, "gemma3:4b": false, "qwen3:8b": false, "foo-o3": false,
	} {
		if got := slices.Contains(gateway.Fitted(name).Omit, endpoints.Temperature); got != refuses {
			t.Errorf("%s: the temperature is left out: %v, want %v", name, got, refuses)
		}
	}
	thinking := endpoints.Endpoint{Name: "gateway", ExtraBody: map[string]any{"reasoning_effort": "none"}}
	if slices.Contains(thinking.Fitted("gpt-6-sol").Omit, endpoints.Temperature) {
		t.Error("without reasoning, gpt-6 takes a temperature")
	}
	if !slices.Contains(thinking.Fitted("o3").Omit, endpoints.Temperature) {
		t.Error("o3 takes no temperature whatever its effort")
	}
	if got := gateway.For("claude-opus-4-7").Omit; len(got) > 0 {
		t.Errorf("For, of which hashes are made, follows the table of families: %v", got)
	}
}

// Every row has a date and a source, and names only fields that can be omitted.
func TestFamilies(t *testing.T) {
	month := regexp.MustCompile(`^20[0-9]{2}-[01][0-9]$`)
	for _, f := range endpoints.Families() {
		if !month.MatchString(f.AsOf) || f.Source == "" || len(f.Refuses) == 0 {
			t.Errorf("%s: %+v", f.Name, f)
		}
		for _, name := range f.Refuses {
			if !slices.Contains(endpoints.Omittable(), name) {
				t.Errorf("%s refuses %q, which is no field that can be left out", f.Name, name)
			}
		}
	}
}
