package importtest_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// process is what belongs to the process as a whole; main alone may use it, and hands it on.
var process = []string{"Getenv", "LookupEnv", "Environ", "ExpandEnv", "Exit", "Args"}

const (
	mainFile   = "cmd/concur/main.go"
	childFile  = "internal/child/main.go" // the main of child processes
	hubFile    = "cmd/concur-hub/main.go" // the main of the hub, a program of its own
	facade     = "concur.go"              // reads the environment for programs that call concur.Run
	cliFolder  = "cmd/concur"
	cliPackage = "github.com/urfave/cli"
)

// misplaced says what a file uses that belongs elsewhere.
func misplaced(path, source string) ([]string, error) {
	file, err := parser.ParseFile(token.NewFileSet(), path, source, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	var out []string
	name := "" // under which the file imports os
	for _, i := range file.Imports {
		imported := strings.Trim(i.Path.Value, `"`)
		folder := filepath.ToSlash(filepath.Dir(path))
		if strings.HasPrefix(imported, cliPackage) && (!strings.HasPrefix(folder+"/", cliFolder+"/") || path == mainFile) {
			out = append(out, "imports "+imported)
		}
		if imported == "os" {
			if name = "os"; i.Name != nil {
				name = i.Name.Name
			}
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok && path != mainFile && path != childFile && path != hubFile && (path != facade || s.Sel.Name != "Getenv") {
			if x, ok := s.X.(*ast.Ident); ok && name != "" && x.Name == name && slices.Contains(process, s.Sel.Name) {
				out = append(out, "uses os."+s.Sel.Name)
			}
		}
		return true
	})
	return out, nil
}

// TestProcessBelongsToMain: environment, arguments and exit are read and used in main.go
// alone, and types of the command line stay in the command.
func TestProcessBelongsToMain(t *testing.T) {
	root, files := filepath.Join("..", ".."), 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != root && (d.Name() == "tools" || d.Name() == "examples" || d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".")):
			return filepath.SkipDir
		case d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		files++
		source, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		found, err := misplaced(filepath.ToSlash(name), string(source))
		for _, what := range found {
			t.Errorf("%s %s, which belongs to %s and %s", name, what, mainFile, cliFolder)
		}
		return err
	})
	if err != nil || files < 100 {
		t.Errorf("read %d files: %v", files, err)
	}
}

func TestMisplaced(t *testing.T) {
	for _, c := range []struct{ path, source, want string }{
		{mainFile, `import "os"; func f() { os.Exit(len(os.Args)) }`, ""},
		{mainFile, `import "github.com/urfave/cli/v2"`, "imports github.com/urfave/cli/v2"},
		{"cmd/concur/running/run.go", `import "github.com/urfave/cli/v2"`, ""},
		{"cmd/concur/run.go", `import "os"; var get = os.Getenv`, "uses os.Getenv"},
		{facade, `import "os"; func f() { os.Exit(len(os.Getenv("A"))) }`, "uses os.Exit"},
		{"runner/run.go", `import o "os"; func f() { o.Exit(1); _ = o.DevNull }`, "uses os.Exit"},
		{"runner/run.go", `import "github.com/urfave/cli/v2"`, "imports github.com/urfave/cli/v2"},
	} {
		found, err := misplaced(c.path, "package p; "+c.source)
		if got := strings.Join(found, ", "); err != nil || got != c.want {
			t.Errorf("%s: %s: found %q, %v", c.path, c.source, got, err)
		}
	}
}
