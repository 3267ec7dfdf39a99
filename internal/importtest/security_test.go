package importtest_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// namedTest is a test as docs/security.md names it: `runner/store.TestForgedLines`.
var namedTest = regexp.MustCompile("`([a-z0-9_/]+)\\.((?:Test|Fuzz)\\w+)`")

// promisesOf reads the rows of the tables of promises and tests. For each promise it gives the tests that it names.
func promisesOf(page string) (map[string][][2]string, error) {
	out := map[string][][2]string{}
	inside := false
	for line := range strings.Lines(page) {
		cells := strings.Split(strings.TrimSpace(line), "|")
		switch {
		case len(cells) != 4:
			inside = false
		case strings.TrimSpace(cells[2]) == "test":
			inside = true
		case inside && !strings.HasPrefix(cells[1], "---"):
			promise := strings.TrimSpace(cells[1])
			for _, m := range namedTest.FindAllStringSubmatch(cells[2], -1) {
				out[promise] = append(out[promise], [2]string{m[1], m[2]})
			}
			if len(out[promise]) == 0 {
				return nil, fmt.Errorf("%q names no test", promise)
			}
		}
	}
	return out, nil
}

// hasTest reports whether a package of a checkout has a test.
func hasTest(root, dir, name string) bool {
	files, _ := filepath.Glob(filepath.Join(root, filepath.FromSlash(dir), "*_test.go"))
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err == nil && strings.Contains(string(raw), "\nfunc "+name+"(") {
			return true
		}
	}
	return false
}

// TestPromisesAreTested: each promise of docs/security.md names tests, and these are there.
func TestPromisesAreTested(t *testing.T) {
	root := filepath.Join("..", "..")
	raw, err := os.ReadFile(filepath.Join(root, "docs", "security.md"))
	if err != nil {
		t.Fatal(err)
	}
	promises, err := promisesOf(string(raw))
	if err != nil || len(promises) < 30 {
		t.Fatalf("%d promises: %v", len(promises), err)
	}
	for promise, tests := range promises {
		for _, test := range tests {
			if !hasTest(root, test[0], test[1]) {
				t.Errorf("%s has no %s, which is to test: %s", test[0], test[1], promise)
			}
		}
	}
}

func TestPromisesOf(t *testing.T) {
	const head = "| promise | test |\n|---|---|\n"
	got, err := promisesOf(head + "| it holds | `a/b.TestX`, `c.FuzzY` |\n\n| other | table |\n|---|---|\n| x | y |\n")
	if err != nil || fmt.Sprint(got) != "map[it holds:[[a/b TestX] [c FuzzY]]]" {
		t.Errorf("%v, %v", got, err)
	}
	if _, err := promisesOf(head + "| it holds | by care |\n"); err == nil {
		t.Error("a promise without a test passes")
	}
	if !hasTest(filepath.Join("..", ".."), "internal/importtest", "TestPromisesOf") || hasTest(filepath.Join("..", ".."), "internal/importtest", "TestPromises") {
		t.Error("a test is found by a part of its name, or not at all")
	}
}
