package importtest_test

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"
)

var (
	// markdownLink is [text](target), and docsPage a page of docs that any file of the project names: docs/x.md,
	// docs/x.md#anchor or docs/method.md §5.2.
	markdownLink = regexp.MustCompile(`\]\(([^()\s]+)\)`)
	docsPage     = regexp.MustCompile(`\bdocs/[a-z0-9/-]+\.md(?:#[\p{L}\p{N}_-]+| §[0-9]+(?:\.[0-9]+)?)?`)
	heading      = regexp.MustCompile(`(?m)^#+ (.+)$`)
	fence        = regexp.MustCompile("(?ms)^```.*?^```$")
)

// anchor is the name that GitHub gives a heading.
func anchor(title string) string {
	title = regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`).ReplaceAllString(title, "$1")
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r) || r == '-' || r == '_':
			return unicode.ToLower(r)
		case r == ' ':
			return '-'
		}
		return -1
	}, title)
}

// pages are the Markdown pages of a checkout, by their paths, with their headings as anchors and, where they begin with a
// number, as "§5.2".
type pages map[string]map[string]bool

func readPages(root string) (pages, error) {
	found := pages{}
	return found, eachFile(root, func(name string, text string) error {
		if !strings.HasSuffix(name, ".md") {
			return nil
		}
		anchors := map[string]bool{}
		for _, m := range heading.FindAllStringSubmatch(fence.ReplaceAllString(text, ""), -1) {
			anchors[anchor(m[1])] = true
			if number, _, is := strings.Cut(m[1], " "); is && unicode.IsDigit(rune(number[0])) {
				anchors["§"+number] = true
			}
		}
		found[name] = anchors
		return nil
	})
}

// check says what is wrong with a reference from a page, or from a file that names pages by their paths from the root.
func (p pages) check(target string) error {
	name, at, _ := strings.Cut(target, "#")
	if page, section, is := strings.Cut(target, " "); is {
		name, at = page, section
	}
	anchors, known := p[name]
	switch {
	case !known:
		return fmt.Errorf("there is no page %s", name)
	case at != "" && !anchors[at]:
		return fmt.Errorf("%s has no heading for %s", name, at)
	}
	return nil
}

// eachFile visits the text files that belong to the project.
func eachFile(root string, visit func(name, text string) error) error {
	return filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(root, file)
		if err != nil {
			return err
		}
		name = filepath.ToSlash(name)
		if d.IsDir() {
			if d.Name() == ".git" || d.Name() == "node_modules" || name == "bin" || name == "dist" || name == "runs" {
				return filepath.SkipDir
			}
			return nil
		}
		switch path.Ext(name) {
		case ".go", ".md", ".yaml", ".yml", ".tsv", ".txt", ".txtar", ".tmpl", ".json":
			raw, err := os.ReadFile(file)
			if err != nil {
				return err
			}
			return visit(name, string(raw))
		}
		return nil
	})
}

// TestReferencesToPages: every page and heading that code, messages, help texts and pages refer to is there.
func TestReferencesToPages(t *testing.T) {
	root := filepath.Join("..", "..")
	known, err := readPages(root)
	if err != nil {
		t.Fatal(err)
	}
	references := 0
	err = eachFile(root, func(name, text string) error {
		if strings.HasPrefix(name, "internal/importtest/") || name == "datasets/corpus/forms_test.go" { // has pages of its own
			return nil
		}
		for _, target := range docsPage.FindAllString(text, -1) {
			references++
			if err := known.check(target); err != nil {
				t.Errorf("%s refers to %s: %v", name, target, err)
			}
		}
		if !strings.HasSuffix(name, ".md") {
			return nil
		}
		for _, m := range markdownLink.FindAllStringSubmatch(fence.ReplaceAllString(text, ""), -1) {
			target := m[1]
			if strings.Contains(target, "://") || strings.HasPrefix(target, "mailto:") {
				continue
			}
			references++
			switch file, at, _ := strings.Cut(target, "#"); {
			case file == "":
				err = known.check(name + "#" + at)
			case strings.HasSuffix(file, ".md"):
				err = known.check(path.Join(path.Dir(name), target))
			default:
				_, err = os.Stat(filepath.Join(root, path.Dir(name), file))
			}
			if err != nil {
				t.Errorf("%s links to %s: %v", name, target, err)
			}
		}
		return nil
	})
	if err != nil || references < 200 {
		t.Errorf("found %d references: %v", references, err)
	}
}

func TestCheckReferences(t *testing.T) {
	known := pages{"docs/a.md": {anchor("5.2 One rate, `here`"): true, "§5.2": true}}
	for target, wrong := range map[string]bool{
		"docs/a.md": false, "docs/a.md#52-one-rate-here": false, "docs/a.md §5.2": false,
		"docs/b.md": true, "docs/a.md#52-two-rates": true, "docs/a.md §5.3": true,
	} {
		if err := known.check(target); (err != nil) != wrong {
			t.Errorf("%s: %v", target, err)
		}
	}
}
