package programfiles

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/runner/config"
)

// Folder is the folder in which agents and MCP servers are started, and in which the relative paths of their
// files are. "" is the working directory of this process. A worker of a hub has the files of each run in a folder of
// its own.
type Folder string

// path returns a path that this process can open.
func (f Folder) path(name string) string {
	if f == "" || filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(string(f), name)
}

// isFile reports whether an argument of a command is a file.
func (f Folder) isFile(arg string) bool {
	info, err := os.Stat(f.path(arg))
	return err == nil && info.Mode().IsRegular()
}

// Check returns an error if the program of a command does not exist. key is the key of the configuration
// that has the command.
func (f Folder) Check(key string, argv []string) error {
	if len(argv) == 0 {
		return nil
	}
	program := argv[0]
	if filepath.Base(program) != program { // a name alone is searched on the PATH
		program = f.path(program)
	}
	if _, err := exec.LookPath(program); err != nil {
		return fmt.Errorf("%s: %w: name a program that is on the PATH, or give its path", key, err)
	}
	return nil
}

// Digests returns the digests of an external agent's files, by name. It calls keep with each digest and the
// content of its file. The files are the arguments of exec that are files, and agent.files.
func (f Folder) Digests(e config.External, keep func(digest string, text []byte)) (map[string]string, error) {
	out := map[string]string{}
	add := func(name, path string) error {
		raw, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		sum := digestOf(raw)
		out[filepath.ToSlash(name)] = sum
		keep(sum, raw)
		return nil
	}
	for _, arg := range e.Exec {
		if f.isFile(arg) {
			if err := add(arg, f.path(arg)); err != nil {
				return nil, fmt.Errorf("read a file of the agent: %w", err)
			}
		}
	}
	for _, pattern := range e.Files {
		if err := f.eachFile(pattern, add); err != nil {
			return nil, fmt.Errorf("agent.files: %w", err)
		}
	}
	return out, nil
}

// digestOf returns the digest of a file: 8 bytes of its SHA-256 in hexadecimal.
func digestOf(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:8])
}

// OfAgent returns the files that belong to an external agent: the arguments of exec that are files, and
// agent.files. If there are more than most files, this is an error.
func OfAgent(e config.External, most int) (paths []string, err error) {
	var here Folder
	for _, arg := range e.Exec {
		if here.isFile(arg) {
			paths = append(paths, arg)
		}
	}
	for _, pattern := range e.Files {
		err := here.eachFile(pattern, func(path, _ string) error {
			if paths = append(paths, path); len(paths) > most {
				return fmt.Errorf("%q and the other entries have more than %d files: name fewer files or folders", pattern, most)
			}
			return nil
		})
		if err != nil {
			return nil, fmt.Errorf("agent.files: %w", err)
		}
	}
	return paths, nil
}

// eachFile visits the files that match a pattern, with the name that they have in the working directory of the run, and
// the path here. If a folder matches, it visits all files in the folder and below it, except hidden ones.
func (f Folder) eachFile(pattern string, visit func(name, path string) error) error {
	roots, err := filepath.Glob(f.path(pattern))
	if err != nil {
		return fmt.Errorf("the pattern %q: %w", pattern, err)
	}
	some := false
	for _, root := range roots {
		shown := root
		if f != "" && !filepath.IsAbs(pattern) {
			shown = pattern // Glob returns a path without wildcards unchanged, also as ./agent.py
			if strings.ContainsAny(pattern, `*?[\`) {
				if shown, err = filepath.Rel(string(f), root); err != nil {
					return err
				}
			}
		}
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case path != root && strings.HasPrefix(d.Name(), ".") && d.IsDir():
				return filepath.SkipDir
			case d.Type().IsRegular() && !strings.HasPrefix(d.Name(), "."):
				some = true
				name := shown
				if path != root {
					below, err := filepath.Rel(root, path)
					if err != nil {
						return err
					}
					name = filepath.Join(shown, below)
				}
				return visit(name, path)
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	if !some {
		return fmt.Errorf("%q matches no file: give a file, a folder, or a pattern such as src/*.py", pattern)
	}
	return nil
}

// Sent returns the files that a worker of a hub needs for the agents and MCP servers of a configuration that are
// programs: the arguments of their commands that are files, and agent.files. It leaves out absolute paths, which a
// worker must have itself. A path that leads out of the working directory is an error.
func Sent(c config.Configuration) ([]string, error) {
	c = c.Effective()
	paths, err := OfAgent(c.Agent.External, maxSent)
	if err != nil {
		return nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(c.MCP)) {
		for _, arg := range c.MCP[name].Command {
			if Folder("").isFile(arg) {
				paths = append(paths, arg)
			}
		}
	}
	var out []string
	for _, path := range paths {
		switch path = filepath.Clean(path); {
		case filepath.IsAbs(path):
		case !filepath.IsLocal(path):
			return nil, fmt.Errorf("%s is outside of the working directory, and cannot be sent to workers of a hub: begin "+
				"the run in a folder that has it", path)
		default:
			out = append(out, path)
		}
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}

// maxSent is the maximum number of files of agents that are sent to workers.
const maxSent = 10_000

// Sandboxed reports whether a program of a configuration is started in a sandbox.
func Sandboxed(c config.Configuration) bool {
	c = c.Effective()
	if !c.Agent.External.Sandbox.IsZero() {
		return true
	}
	for _, server := range c.MCP {
		if !server.Sandbox.IsZero() {
			return true
		}
	}
	return false
}

// Commands returns the commands that a configuration starts: those of its agent and its MCP servers.
func Commands(c config.Configuration) (out [][]string) {
	c = c.Effective()
	if len(c.Agent.External.Exec) > 0 {
		out = append(out, c.Agent.External.Exec)
	}
	for _, name := range slices.Sorted(maps.Keys(c.MCP)) {
		if command := c.MCP[name].Command; len(command) > 0 {
			out = append(out, command)
		}
	}
	return out
}
