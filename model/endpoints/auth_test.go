package endpoints_test

import (
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/model/endpoints"
)

func TestResolve(t *testing.T) {
	own := endpoints.Endpoint{Name: "own", BaseURL: "http://h", Auth: endpoints.Auth{Env: []string{"MY_KEY"}}}
	for _, c := range []struct {
		e         endpoints.Endpoint
		env       map[string]string
		key, base string
		says      string
	}{
		{lookup(t, "openai"), map[string]string{"OPENAI_API_KEY": " k\n"}, "k", "https://api.openai.com/v1", ""},
		{lookup(t, "openai"), nil, "", "", "OPENAI_API_KEY is not set: set it to a key for openai, or set OPENAI_BASE_URL"},
		{lookup(t, "openai"), map[string]string{"OPENAI_BASE_URL": "http://127.0.0.1/v1"}, "", "http://127.0.0.1/v1", ""},
		{lookup(t, "openai"), map[string]string{"OPENAI_BASE_URL": "http://h", "OPENAI_API_KEY": "k"}, "k", "http://h", ""},
		{lookup(t, "gemini"), map[string]string{"GOOGLE_API_KEY": "g"}, "g", "https://generativelanguage.googleapis.com/v1beta/openai", ""},
		{lookup(t, "gemini"), map[string]string{"GOOGLE_API_KEY": "g", "GEMINI_API_KEY": "m"}, "m", "https://generativelanguage.googleapis.com/v1beta/openai", ""},
		{lookup(t, "dashscope"), map[string]string{"OPENAI_API_KEY": "k", "OPENAI_BASE_URL": "http://h"}, "", "", "DASHSCOPE_API_KEY is not set"},
		{lookup(t, "ollama"), map[string]string{"OPENAI_API_KEY": "k"}, "", "http://127.0.0.1:11434/v1", ""},
		{own, map[string]string{"MY_KEY": "k"}, "k", "http://h", ""},
		{own, nil, "", "", "MY_KEY is not set: set it to a key for own"},
	} {
		e, key, err := c.e.Resolve(func(name string) string { return c.env[name] })
		if c.says != "" {
			if err == nil || !strings.Contains(err.Error(), c.says) || c.e.Name != "openai" && strings.Contains(err.Error(), "OPENAI") {
				t.Errorf("%s %v: %v", c.e.Name, c.env, err)
			}
			continue
		}
		if err != nil || key != c.key || e.BaseURL != c.base {
			t.Errorf("%s %v: %q at %s, %v", c.e.Name, c.env, key, e.BaseURL, err)
		}
	}
}
