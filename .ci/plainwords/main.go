// Command plainwords reports names and comments of Go files that use a word or phrase of words.txt, and code that is
// too long to be read at once (see form.go), with file and line. It also reports packages of too many files. It exits 1
// if it finds any:
//
//	go run -C .ci ./plainwords FOLDER
//
// It walks the folder, without testdata and folders that begin with a dot, except .ci.
package main

import (
	_ "embed"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"unicode"
)

//go:embed words.txt
var table string

// words is the table of words.txt.
type words struct {
	names   map[string]string // instead, by the name with a small first letter
	phrases []phrase
}

type phrase struct {
	pattern *regexp.Regexp
	text    string
	instead string
}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "plainwords: give one folder")
		os.Exit(2)
	}
	w, err := parse(table)
	if err == nil {
		err = w.walk(os.Args[1])
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "plainwords:", err)
		os.Exit(1)
	}
}

func parse(table string) (words, error) {
	w := words{names: map[string]string{}}
	for i, line := range strings.Split(strings.TrimSpace(table), "\n") {
		if strings.HasPrefix(line, "#") {
			continue
		}
		cells := strings.Split(line, "\t")
		switch {
		case len(cells) == 3 && cells[0] == "name":
			w.names[cells[1]] = cells[2]
		case len(cells) == 3 && cells[0] == "phrase":
			p := regexp.MustCompile(`(?i)\b` + strings.ReplaceAll(regexp.QuoteMeta(cells[1]), " ", `\s+`) + `\b`)
			w.phrases = append(w.phrases, phrase{p, cells[1], cells[2]})
		default:
			return w, fmt.Errorf("words.txt:%d: want name or phrase, the word, and what to write instead, separated by tabs",
				i+1)
		}
	}
	return w, nil
}

// walk prints the findings in all Go files of a folder. Its error counts them.
func (w words) walk(folder string) error {
	found := 0
	err := filepath.WalkDir(folder, func(path string, e fs.DirEntry, err error) error {
		name := e.Name()
		switch {
		case err != nil:
			return err
		case e.IsDir() && path != folder && (name == "testdata" || strings.HasPrefix(name, ".") && name != ".ci"):
			return filepath.SkipDir
		case e.IsDir():
			what, err := tooManyFiles(path)
			if what != "" && !excepted("files", folder, path) {
				found++
				fmt.Printf("%s: %s: write at most %d, each package with one reason to change\n", path, what, maxFiles)
			}
			return err
		case filepath.Ext(name) != ".go":
			return nil
		}
		n, err := w.check(folder, path)
		found += n
		return err
	})
	if err == nil && found > 0 {
		err = fmt.Errorf("%d places to mend; .ci/plainwords has the words in words.txt and the limits in form.go", found)
	}
	return err
}

// check prints the findings in one file of the folder, and counts them.
func (w words) check(folder, path string) (int, error) {
	files := token.NewFileSet()
	source, err := os.ReadFile(path)
	if err != nil {
		return 0, err
	}
	file, err := parser.ParseFile(files, path, source, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return 0, err
	}
	found := 0
	report := func(line int, what, instead string) {
		found++
		fmt.Printf("%s:%d: %s: write %s\n", path, line, what, instead)
	}
	checkForm(path, files, file, string(source), func(line int, check, what, instead string) {
		if !excepted(check, folder, path) {
			report(line, what, instead)
		}
	})
	name := func(ids ...*ast.Ident) {
		for _, id := range ids {
			letters := []rune(id.Name)
			letters[0] = unicode.ToLower(letters[0])
			if instead, listed := w.names[string(letters)]; listed {
				report(files.Position(id.Pos()).Line, fmt.Sprintf("the name %s", id.Name), instead)
			}
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.TypeSpec:
			name(n.Name)
		case *ast.FuncDecl:
			name(n.Name)
			return false // names inside a function are read together with their use
		case *ast.StructType:
			for _, f := range n.Fields.List {
				name(f.Names...)
			}
		case *ast.InterfaceType:
			for _, f := range n.Methods.List {
				name(f.Names...)
			}
		}
		return true
	})
	for _, group := range file.Comments {
		var text string // without its marks, so that phrases match across lines
		for _, c := range group.List {
			text += strings.TrimPrefix(c.Text, "//") + "\n"
		}
		for _, p := range w.phrases {
			for _, m := range p.pattern.FindAllStringIndex(text, -1) {
				line := files.Position(group.Pos()).Line + strings.Count(text[:m[0]], "\n")
				report(line, fmt.Sprintf("%q", p.text), p.instead)
			}
		}
	}
	return found, nil
}
