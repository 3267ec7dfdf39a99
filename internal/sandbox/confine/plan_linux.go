package confine

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/internal/sandbox"
	"github.com/seed-5817661a/concur/internal/sandbox/bwrap"
	"github.com/seed-5817661a/concur/internal/sandbox/interpreter"
)

// New returns the program of a command line, ready to be started: with the paths that it may read, after a trial of
// the sandbox. The error is a *sandbox.StartError with the way out.
func New(ctx context.Context, c Command, getenv func(string) string) (Program, error) {
	refuse := func(cause, remedy string) (Program, error) {
		return Program{}, &sandbox.StartError{Engine: bwrap.Name, Cause: cause, Remedy: remedy}
	}
	folder, err := filepath.Abs(c.Folder) // of "": the working folder
	if err != nil || len(c.Argv) == 0 {
		return refuse(fmt.Sprintf("no command, or no working folder: %v", err), "start concur in a folder that exists")
	}
	p := Program{Argv: slices.Clone(c.Argv), Folder: folder, Address: c.Address}
	for i, argument := range c.Argv {
		if info, err := os.Stat(p.path(argument)); err == nil && (i > 0 && !info.IsDir() || strings.Contains(argument, "/")) {
			if err := p.show(argument); err != nil {
				return refuse(err.Error(), "name an existing file")
			}
		}
	}
	patterns := slices.Clone(c.Files)
	for _, entry := range c.Allow {
		host, is, err := sandbox.ReadHost(entry)
		switch {
		case err != nil:
			return refuse(fmt.Sprintf("%q: %v", entry, err), "correct the entry of sandbox_allow")
		case is:
			p.Hosts = append(p.Hosts, host)
		default:
			patterns = append(patterns, entry)
		}
	}
	for _, pattern := range patterns {
		found, err := filepath.Glob(p.path(pattern))
		if err != nil || len(found) == 0 {
			return refuse(fmt.Sprintf("%q matches no file or folder", pattern), "name an existing path")
		}
		for _, path := range found {
			if err := p.show(path); err != nil {
				return refuse(err.Error(), "name a smaller folder")
			}
		}
	}
	if err := p.resolve(ctx, getenv); err != nil {
		return refuse(err.Error(), "")
	}
	return p.Check(ctx, getenv)
}

// path returns the absolute path of a path that may be relative to the working folder.
func (p *Program) path(path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(p.Folder, path)
}

// show makes a path visible, and the path behind its links.
func (p *Program) show(path string) error {
	absolute := p.path(path)
	real, err := filepath.EvalSymlinks(absolute)
	if err != nil {
		return err
	}
	for _, shown := range []string{absolute, real} {
		for _, closed := range []string{"/proc", "/sys", "/dev"} {
			if shown == "/" || shown == closed || strings.HasPrefix(shown, closed+"/") {
				return fmt.Errorf("%s must not be visible in a sandbox", path)
			}
		}
		if p.Folder == shown || strings.HasPrefix(p.Folder, shown+"/") {
			return fmt.Errorf("%s has the working folder in it, with the configuration and the runs", path)
		}
		if !strings.HasPrefix(shown, "/usr/") && !slices.Contains(p.Visible, shown) {
			p.Visible = append(p.Visible, shown)
		}
	}
	return nil
}

// resolve replaces the name of the program by its path. For Python and Node it also makes the folders of the
// installation visible.
func (p *Program) resolve(ctx context.Context, getenv func(string) string) error {
	name := filepath.Base(p.Argv[0])
	language := ""
	switch {
	case strings.HasPrefix(name, "python"):
		language = sandbox.Python
	case strings.HasPrefix(name, "node"):
		language = sandbox.JavaScript
	}
	if language == "" {
		if strings.Contains(p.Argv[0], "/") {
			p.Argv[0] = p.path(p.Argv[0])
		}
		path, err := exec.LookPath(p.Argv[0])
		if err != nil {
			return err
		}
		if p.Argv[0], err = filepath.Abs(path); err != nil {
			return err
		}
		return p.show(p.Argv[0])
	}
	named := p.Argv[0]
	if strings.Contains(named, "/") {
		named = p.path(named)
	}
	if name == "python3" || name == "node" {
		if named == name {
			named = "" // any that the sandbox's user can read
		}
	}
	reads := interpreter.ReadableBy(uint32(os.Geteuid()), uint32(os.Getegid()))
	if os.Geteuid() == 0 {
		reads = interpreter.ReadableBy(nobody, nobody)
	}
	found, err := interpreter.Find(ctx, language, named, getenv, reads)
	if err != nil {
		return err
	}
	p.Argv[0] = found.Path
	for _, path := range found.Needs {
		if !slices.Contains(p.Visible, path) {
			p.Visible = append(p.Visible, path)
		}
	}
	return nil
}
