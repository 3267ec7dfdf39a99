package checks

import (
	"os"
	"strings"
	"testing"
)

// TestFunctionsAreDocumented: the page lists the functions that an expression may call.
func TestFunctionsAreDocumented(t *testing.T) {
	page, err := os.ReadFile("../../docs/checks.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(page), "## Expressions of jq")
	section, _, _ = strings.Cut(section, "\n## ")
	documented := words(strings.ReplaceAll(section, "`", " "))
	for _, list := range []map[string]bool{passing, making, splitting, pairing} {
		for name := range list {
			if !documented[name] {
				t.Errorf("docs/checks.md does not list the function %s", name)
			}
			args := []string{"", "(1)", "(.; .)"}
			compiles := false
			for _, a := range args {
				_, err := Check{Kind: JSON, Text: name + a}.Query()
				compiles = compiles || err == nil || strings.Contains(err.Error(), "not written out")
			}
			if !compiles {
				t.Errorf("jq has no function %s", name)
			}
		}
	}
}
