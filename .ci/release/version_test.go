package main

import "testing"

func TestVersions(t *testing.T) {
	for description, want := range map[string][2]string{
		"v1.2.3":                    {"1.2.3", "1.2.3"},
		"1.2.3":                     {"1.2.3", "1.2.3"},
		"v1.2.3-dirty":              {"1.2.3+dirty", "1.2.3+dirty"},
		"v1.2.3-rc.1":               {"1.2.3rc1", "1.2.3-rc.1"},
		"v1.2.3-beta2":              {"1.2.3b2", "1.2.3-beta.2"},
		"v1.2.9-4-gabc1234":         {"1.2.10.dev4+gabc1234", "1.2.10-dev.4.gabc1234"},
		"v1.2.3-rc.1-4-gabc1234":    {"1.2.3rc1.dev4+gabc1234", "1.2.3-rc.1.dev.4.gabc1234"},
		"v1.2.9-4-gabc1234-dirty":   {"1.2.10.dev4+gabc1234.dirty", "1.2.10-dev.4.gabc1234.dirty"},
		"b8d3beef":                  {"0.0.0.dev0+gb8d3beef", "0.0.0-dev.0.gb8d3beef"},
		"b8d3beef-dirty":            {"0.0.0.dev0+gb8d3beef.dirty", "0.0.0-dev.0.gb8d3beef.dirty"},
		"devel":                     {"0.0.0.dev0", "0.0.0-dev.0"},
		"something-1-else; rm -rf/": {"0.0.0.dev0", "0.0.0-dev.0"},
	} {
		if python, npm := versions(description); python != want[0] || npm != want[1] {
			t.Errorf("versions(%q) = %s, %s; want %s, %s", description, python, npm, want[0], want[1])
		}
	}
}
