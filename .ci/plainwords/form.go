package main

import (
	_ "embed"
	"fmt"
	"go/ast"
	"go/token"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Limits of code that is not a test.
const (
	maxColumns = 120 // characters of a line; a tab is one
	maxLines   = 300 // of a file
	maxFiles   = 25  // of a package
	maxMessage = 160 // characters of an error's text, without the values in it
	minName    = 5   // letters of a function that is not exported and not in shortNames
)

// shortNames are verbs and terms that everyone who programs knows.
var shortNames = setOf("add ask call clip copy cut diff edit eval find fold hash init join list load lock main mean " +
	"open pow read run scan send show sort stat stem sum trim wrap")

// checkForm reports what is too long or too short to be read at once. It does not look at tests.
func checkForm(path string, files *token.FileSet, file *ast.File, source string,
	report func(line int, check, what, instead string)) {
	if strings.HasSuffix(path, "_test.go") {
		return
	}
	lines := strings.Split(strings.TrimSuffix(source, "\n"), "\n")
	if len(lines) > maxLines {
		report(1, "size", fmt.Sprintf("a file of %d lines", len(lines)),
			fmt.Sprintf("at most %d: split it by idea", maxLines))
	}
	for i, line := range lines {
		if n := utf8.RuneCountInString(line); n > maxColumns {
			report(i+1, "width", fmt.Sprintf("a line of %d characters", n), fmt.Sprintf("at most %d", maxColumns))
		}
	}
	at := func(n ast.Node) int { return files.Position(n.Pos()).Line }
	for _, d := range file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if ok && f.Recv == nil && len(f.Name.Name) < minName && !f.Name.IsExported() && !shortNames[f.Name.Name] {
			report(at(f), "name", "the function "+f.Name.Name, "a verb and its object, or the term that it returns")
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IndexExpr:
			if isChoiceMap(n.X) {
				report(at(n), "choice", "a map of two values by true and false", "if and else")
			}
		case *ast.CallExpr:
			if text := message(n); utf8.RuneCountInString(text) > maxMessage {
				report(at(n), "message", fmt.Sprintf("a message of %d characters", utf8.RuneCountInString(text)),
					"place, fact and one action: the rest is for the documentation")
			}
		}
		return true
	})
}

// tooManyFiles describes a package of more than maxFiles files; "" for any other folder. It does not count tests.
func tooManyFiles(folder string) (string, error) {
	entries, err := os.ReadDir(folder)
	count := 0
	for _, e := range entries {
		if name := e.Name(); !e.IsDir() && filepath.Ext(name) == ".go" && !strings.HasSuffix(name, "_test.go") {
			count++
		}
	}
	if err != nil || count <= maxFiles {
		return "", err
	}
	return fmt.Sprintf("a package of %d files", count), nil
}

// isChoiceMap reports whether an expression is a map literal with bool keys.
func isChoiceMap(e ast.Expr) bool {
	literal, _ := e.(*ast.CompositeLit)
	if literal == nil {
		return false
	}
	m, _ := literal.Type.(*ast.MapType)
	if m == nil {
		return false
	}
	key, _ := m.Key.(*ast.Ident)
	return key != nil && key.Name == "bool"
}

// message returns the text of a call that makes an error; "" for other calls, and for a text that is not constant.
func message(call *ast.CallExpr) string {
	name := ""
	switch f := call.Fun.(type) {
	case *ast.SelectorExpr:
		if x, ok := f.X.(*ast.Ident); ok {
			name = x.Name + "." + f.Sel.Name
		}
	case *ast.Ident:
		name = f.Name
	}
	if name != "fmt.Errorf" && name != "errors.New" && name != "usagef" || len(call.Args) == 0 {
		return ""
	}
	text, _ := constant(call.Args[0])
	return text
}

// constant returns a text that is one literal or a sum of literals.
func constant(e ast.Expr) (string, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(e.Value)
		return text, e.Kind == token.STRING && err == nil
	case *ast.BinaryExpr:
		x, okX := constant(e.X)
		y, okY := constant(e.Y)
		if e.Op == token.ADD && okX && okY {
			return x + y, true
		}
	}
	return "", false
}

//go:embed exceptions.txt
var exceptionTable string

// excepted reports whether exceptions.txt lists a check for a file or for a folder above it. root is the folder that is
// walked.
func excepted(check, root, path string) bool {
	name, err := filepath.Rel(root, path)
	if err != nil {
		return false
	}
	for row := range strings.Lines(exceptionTable) {
		fields := strings.Fields(row)
		if len(fields) >= 2 && fields[0] == check && strings.HasPrefix(filepath.ToSlash(name), fields[1]) {
			return true
		}
	}
	return false
}

func setOf(words string) map[string]bool {
	out := map[string]bool{}
	for word := range strings.FieldsSeq(words) {
		out[word] = true
	}
	return out
}
