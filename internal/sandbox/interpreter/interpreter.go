package interpreter

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/seed-5817661a/concur/internal/sandbox"
)

// findTime is the time in which an interpreter must describe itself. A shim in shell may need a second.
const findTime = 30 * time.Second

// Interpreter is a program that runs scripts of one language.
type Interpreter struct {
	Language string   // as package sandbox names it
	Path     string   // the program
	Version  string   // such as "3.11.2"
	Needs    []string // files and folders outside of /usr that it needs, sorted: the same paths inside
	Flags    []string // arguments before the script
}

// kind is what differs between languages.
type kind struct {
	programs []string // names to look for
	flags    []string
	describe []string // arguments with which the program prints a description
}

// The descriptions are JSON objects. Python's base_prefix has the standard library, prefix the virtual environment.
var kinds = map[string]kind{
	sandbox.Python: {[]string{"python3"}, []string{"-I", "-B"}, []string{"-I", "-B", "-c", `import sys, json, os
print(json.dumps({"path": os.path.abspath(sys.executable), "version": "%d.%d.%d" % sys.version_info[:3],
"needs": [sys.prefix, sys.base_prefix]}))`}},
	sandbox.JavaScript: {[]string{"node", "nodejs"}, nil, []string{"-e",
		`console.log(JSON.stringify({path: process.execPath, version: process.versions.node, needs: [process.execPath]}))`}},
}

// Find finds the interpreter of a language. named is its path or name; "" means the first one of PATH that reads
// accepts, then one in /usr/bin. reads reports why the user of the sandbox cannot read a path. getenv returns variables
// of the environment.
func Find(ctx context.Context, language, named string, getenv func(string) string,
	reads func(path string) error) (Interpreter, error) {
	k, ok := kinds[language]
	if !ok {
		return Interpreter{}, fmt.Errorf("no interpreter for %s: use %s or %s", language, sandbox.Python,
			sandbox.JavaScript)
	}
	candidates := []string{named}
	if named == "" {
		candidates = k.candidates(getenv("PATH"))
	} else if !strings.Contains(named, "/") {
		candidates = kind{programs: []string{named}}.candidates(getenv("PATH"))
	}
	if len(candidates) == 0 {
		return Interpreter{}, fmt.Errorf("%s is not on PATH: install it", k.programs[0])
	}
	var first error
	for _, path := range candidates {
		found, err := k.examine(ctx, path, getenv)
		if err == nil {
			found.Language, found.Flags = language, k.flags
			err = allReadable(found, reads)
		}
		if err == nil {
			return found, nil
		}
		if first == nil {
			first = err
		}
	}
	return Interpreter{}, first
}

// candidates lists the programs in the folders of PATH, then in /usr/bin, each once.
func (k kind) candidates(path string) []string {
	var out []string
	for _, folder := range append(filepath.SplitList(path), "/usr/bin") {
		for _, program := range k.programs {
			candidate := filepath.Join(folder, program)
			info, err := os.Stat(candidate)
			if err != nil || info.IsDir() || info.Mode()&0o111 == 0 || !filepath.IsAbs(candidate) ||
				slices.Contains(out, candidate) {
				continue
			}
			out = append(out, candidate)
		}
	}
	return out
}

// examine starts a program so that it describes itself. Its environment has only what shims such as pyenv's read.
func (k kind) examine(ctx context.Context, path string, getenv func(string) string) (Interpreter, error) {
	ctx, cancel := context.WithTimeout(ctx, findTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, k.describe...)
	cmd.Env = []string{}
	for _, name := range []string{"PATH", "HOME", "PYENV_ROOT", "PYENV_VERSION", "NODENV_ROOT", "NODENV_VERSION"} {
		if value := getenv(name); value != "" {
			cmd.Env = append(cmd.Env, name+"="+value)
		}
	}
	cmd.WaitDelay = time.Second
	out, err := cmd.Output()
	if err != nil {
		return Interpreter{}, fmt.Errorf("%s does not start: %w", path, err)
	}
	var described struct {
		Path, Version string
		Needs         []string
	}
	if err := json.Unmarshal(out, &described); err != nil || !filepath.IsAbs(described.Path) {
		return Interpreter{}, fmt.Errorf("%s did not describe itself: it printed %.40q", path, out)
	}
	found := Interpreter{Path: described.Path, Version: described.Version}
	real, err := filepath.EvalSymlinks(described.Path)
	if err != nil {
		return Interpreter{}, fmt.Errorf("find the program behind %s: %w", described.Path, err)
	}
	for _, need := range append(described.Needs, real) {
		if err := found.need(need); err != nil {
			return Interpreter{}, err
		}
	}
	if err := checkExposure(found.Needs, getenv("HOME")); err != nil {
		return Interpreter{}, err
	}
	return found, nil
}

// need adds a path and the path behind its links, unless /usr or another need has it.
func (i *Interpreter) need(path string) error {
	if path == "" {
		return nil
	}
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return fmt.Errorf("find the folder of %s: %w", i.Path, err)
	}
	for _, p := range []string{filepath.Clean(path), real} {
		if !slices.ContainsFunc(append([]string{"/usr", "/bin", "/lib", "/lib64"}, i.Needs...),
			func(above string) bool { return within(p, above) }) {
			i.Needs = append(i.Needs, p)
		}
	}
	slices.Sort(i.Needs)
	return nil
}

// checkExposure refuses needs that would show the home folder, the working folder with configuration and runs, or
// everything to a script.
func checkExposure(needs []string, home string) error {
	working, err := os.Getwd()
	if err != nil {
		return fmt.Errorf("find the working folder: %w", err)
	}
	for _, need := range needs {
		for _, private := range []string{home, working} {
			if need == "/" || private != "" && within(filepath.Clean(private), need) {
				return fmt.Errorf("the interpreter's own folder is %s, with the user's files in it: "+
					"name another interpreter", need)
			}
		}
	}
	return nil
}

// within reports whether a clean path is a folder or below it.
func within(path, folder string) bool {
	return path == folder || strings.HasPrefix(path, strings.TrimSuffix(folder, "/")+"/")
}

func allReadable(i Interpreter, reads func(string) error) error {
	for _, path := range append([]string{i.Path}, i.Needs...) {
		if err := reads(path); err != nil {
			return err
		}
	}
	return nil
}
