package inject

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// TestMethodHasEveryWeight compares the table of families in docs/method.md §9.2 with the files of the
// package.
func TestMethodHasEveryWeight(t *testing.T) {
	page, err := os.ReadFile("../../docs/method.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(page), "### 9.2")
	section, _, _ = strings.Cut(section, "### 9.3")
	written := map[string]string{} // weights by family
	for line := range strings.Lines(section) {
		cells := strings.Split(line, "|")
		if len(cells) < 4 || !strings.Contains(cells[1], "`") {
			continue
		}
		for name := range strings.SplitSeq(cells[1], ",") {
			written[strings.Trim(name, " `")] = strings.TrimSpace(cells[2])
		}
	}
	for _, f := range families() {
		if want := strings.TrimPrefix(fmt.Sprint(f.Weight), "0"); written[f.Name] != want {
			t.Errorf("docs/method.md §9.2 has the weight %q for %s, and the file has %s", written[f.Name], f.Name, want)
		}
		delete(written, f.Name)
	}
	if len(written) > 0 {
		t.Errorf("docs/method.md §9.2 has families that the package has not: %v", written)
	}
	for _, v := range views() {
		if !strings.Contains(section, "`"+v.name+"`") {
			t.Errorf("docs/method.md §9.2 does not name the view %s", v.name)
		}
		if guess := v.mode == disguised; guess != strings.Contains("leet rot13 reversed typo", v.name) {
			t.Errorf("docs/method.md §9.2 says otherwise of the view %s: it guesses %t", v.name, guess)
		}
	}
	for _, f := range families() {
		if f.Guess != (f.Name == "override" || f.Name == "reveal") {
			t.Errorf("docs/method.md §9.2 says otherwise of the family %s: views that guess read it: %t", f.Name, f.Guess)
		}
	}
}
