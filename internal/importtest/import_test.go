package importtest_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/seed-5817661a/concur"

// anyone may import these mechanics; internal/golden serves tests alone.
var mechanics = []string{"internal/strictyaml", "internal/golden", "internal/lazy", "internal/text", "internal/value", "internal/slot", "internal/lines", "internal/filekind", "internal/secret"}

var ticked = regexp.MustCompile("`([^`]+)`")

// readTable gives, for every package that docs/architecture.md names, what it may import.
func readTable(t *testing.T, root string) map[string][]string {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(root, "docs", "architecture.md"))
	if err != nil {
		t.Fatal(err)
	}
	table := map[string][]string{}
	for _, line := range strings.Split(string(raw), "\n") {
		cells := strings.Split(line, "|")
		if len(cells) != 5 || !strings.HasPrefix(strings.TrimSpace(cells[1]), "`") {
			continue
		}
		granted := []string{}
		for _, m := range ticked.FindAllStringSubmatch(cells[3], -1) {
			granted = append(granted, m[1])
		}
		table[strings.Trim(strings.TrimSpace(cells[1]), "`")] = granted
	}
	if len(table) < 10 {
		t.Fatalf("docs/architecture.md has a table of %d packages: it was not understood", len(table))
	}
	return table
}

type pkg struct {
	ImportPath string
	Imports    []string
}

func listPackages(t *testing.T, root string) []pkg {
	t.Helper()
	cmd := exec.Command("go", "list", "-json=ImportPath,Imports", "./...")
	cmd.Dir = root
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var all []pkg
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p pkg
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
}

func grants(granted []string, path string) bool {
	return slices.ContainsFunc(granted, func(g string) bool {
		if beneath, ok := strings.CutSuffix(g, "…/"); ok {
			return strings.HasPrefix(path, beneath)
		}
		return g == path
	})
}

func TestImportsFollowTheTable(t *testing.T) {
	root := filepath.Join("..", "..")
	table := readTable(t, root)
	present := map[string]bool{}
	for _, p := range listPackages(t, root) {
		name := strings.TrimPrefix(p.ImportPath, module+"/")
		if name == module {
			name = "concur" // the package beside go.mod
		}
		present[name] = true
		granted, known := table[name]
		if !known && !strings.HasPrefix(name, "internal/") {
			t.Errorf("%s: docs/architecture.md does not name this package; add it to the table", name)
			continue
		}
		for _, path := range p.Imports {
			ours, ok := strings.CutPrefix(path, module+"/")
			if ok && !slices.Contains(mechanics, ours) && !grants(granted, ours) {
				t.Errorf("%s imports %s, which docs/architecture.md does not grant", name, ours)
			}
		}
	}
	for name := range table {
		if !present[name] {
			t.Errorf("docs/architecture.md names %s, which does not exist", name)
		}
	}
}

// readFolders gives the rank of each folder, 0 for the topmost, as docs/architecture.md lists them.
func readFolders(t *testing.T, root string) map[string]int {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(root, "docs", "architecture.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, list, found := strings.Cut(string(raw), "## The folders, from top to bottom")
	_, list, fenced := strings.Cut(list, "```text\n")
	if list, _, _ = strings.Cut(list, "```"); !found || !fenced {
		t.Fatal("docs/architecture.md has no list of folders")
	}
	ranks := map[string]int{}
	for rank, line := range strings.Split(strings.TrimSpace(list), "\n") {
		names, _, _ := strings.Cut(line, "  ")
		for _, name := range strings.Fields(names) {
			ranks[name] = rank
		}
	}
	return ranks
}

// TestNoArrowUp: a folder imports neither from one above it nor from one beside it.
func TestNoArrowUp(t *testing.T) {
	root := filepath.Join("..", "..")
	ranks := readFolders(t, root)
	folder := func(path string) string {
		name, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(path, module), "/"), "/")
		return cmp.Or(name, "concur")
	}
	for _, p := range listPackages(t, root) {
		of := folder(p.ImportPath)
		rank, known := ranks[of]
		if !known {
			t.Errorf("%s: docs/architecture.md does not list the folder %s", p.ImportPath, of)
		}
		for _, path := range p.Imports {
			if path != module && !strings.HasPrefix(path, module+"/") {
				continue
			}
			if to := folder(path); to != of && ranks[to] <= rank {
				t.Errorf("%s imports %s, which is not below it", p.ImportPath, path)
			}
		}
	}
}

func TestGrants(t *testing.T) {
	for _, c := range []struct {
		granted string
		path    string
		want    bool
	}{
		{"datasets", "datasets", true}, {"datasets", "datasets/answer", false},
		{"guard/…/", "guard/inject", true}, {"guard/…/", "tool", false}, {"…/", "anything", true},
	} {
		if got := grants([]string{c.granted}, c.path); got != c.want {
			t.Errorf("grants(%s, %s) = %v", c.granted, c.path, got)
		}
	}
}
