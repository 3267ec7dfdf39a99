package config_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/runner/config"
)

func TestAddressNamesKeys(t *testing.T) {
	environ := func(name string) string { return map[string]string{"KEY": "a/b c", "HOST": "h"}[name] }
	e := config.External{HTTP: "http://h/run?key=${KEY}&v=2"}
	address, keys, err := e.Address(environ)
	if address != "http://h/run?key=a%2Fb+c&v=2" || !slices.Equal(keys, []string{"a/b c"}) || err != nil {
		t.Errorf("%q, %q, %v", address, keys, err)
	}
	e.HTTP = "http://h/${OTHER}"
	if _, _, err := e.Address(environ); err == nil || !strings.Contains(err.Error(), "agent.http names ${OTHER}, which is not set") {
		t.Errorf("a variable that is not set: %v", err)
	}
}

func TestKeysInAddresses(t *testing.T) {
	for address, refused := range map[string]bool{
		"http://h/run?key=abc": true, "http://h/run?v=1&access_token=abc": true, "http://h/run?X-API-Key=abc": true, "http://h/run?q=sk-0123456789": true,
		"http://h:${PORT}/run?key=abc": true, "http://${HOST}/run?q=sk-0123456789": true,
		"http://h/run?key=${KEY}": false, "http://h/${KEY}/run": false, "http://h/run?max_tokens=100&key=": false,
	} {
		c := config.New()
		c.Agent.External.HTTP = address
		err := c.Validate()
		if got := err != nil && strings.Contains(err.Error(), "looks like a key"); got != refused {
			t.Errorf("%s: %v", address, err)
		}
	}
}

// TestVariablesInHostAndPort: a server whose port differs in each run has one address in the configuration.
func TestVariablesInHostAndPort(t *testing.T) {
	for address, valid := range map[string]bool{
		"http://127.0.0.1:${PORT}/run": true, "http://127.0.0.1:${PORT}": true, "http://${HOST}:${PORT}?key=${KEY}": true,
		"http://127.0.0.1:PORT/run": false, "http://127.0.0.1:${PO RT}/run": false, "ftp://h:${PORT}": false, "${ADDRESS}": false,
		"http://": false, "://": false, "http://user:${KEY}@h/": false,
	} {
		c := config.New()
		c.Agent.External.HTTP = address
		if err := c.Validate(); (err == nil) != valid {
			t.Errorf("%s: %v", address, err)
		}
	}
	e := config.External{HTTP: "http://127.0.0.1:${PORT}/run"}
	if address, _, err := e.Address(func(string) string { return "8123" }); address != "http://127.0.0.1:8123/run" || err != nil {
		t.Errorf("%q, %v", address, err)
	}
}
