package confine

import (
	"cmp"
	"encoding/json"
	"fmt"
	"path/filepath"

	"github.com/seed-5817661a/concur/internal/child"
	"github.com/seed-5817661a/concur/internal/sandbox"
)

// Program is a program to run in a sandbox.
type Program struct {
	Argv    []string       // the program, as a path that exists inside, and its arguments
	Visible []string       // absolute paths of files and folders that it may read, besides /usr
	Folder  string         // the working folder: empty inside, except for what Visible has in it
	Address string         // host and port of the proxy; "" if it may not reach any
	Hosts   []sandbox.Host // what it may reach besides, through a proxy that its variables name
	Memory  int64          // bytes of all its processes together; 0 means DefaultMemory

	Bubblewrap string // path of bubblewrap; Check sets it
}

// Command is a command line of a configuration.
type Command struct {
	Folder  string   // the working folder, in which relative paths are; "" for that of this process
	Argv    []string // the program and its arguments; arguments that are files are visible
	Files   []string // files, folders and patterns that belong to the program
	Allow   []string // further ones that the user allows, and hosts in the form of sandbox.ReadHost
	Address string   // host and port of the proxy; "" if the program may not reach any
}

// DefaultMemory is the bound in bytes of the memory of a program's processes together.
const DefaultMemory = 4 << 30

func (p Program) memory() int64 { return cmp.Or(p.Memory, DefaultMemory) }

// The names of the children.
const (
	launcherName  = "confine-launcher"
	forwarderName = "confine-forwarder"
)

// Started returns the command line and the additional environment variable with which the program is started in its
// sandbox. All other variables of the process reach the program, except HOME and TMPDIR, which are /tmp.
func (p Program) Started() (argv []string, variable string, err error) {
	if len(p.Argv) == 0 || !filepath.IsAbs(p.Argv[0]) || !filepath.IsAbs(p.Folder) {
		return nil, "", fmt.Errorf("a program in a sandbox needs absolute paths: %q in %q", p.Argv, p.Folder)
	}
	self, err := child.Executable()
	if err != nil {
		return nil, "", fmt.Errorf("find the program that runs: %w", err)
	}
	raw, err := json.Marshal(p)
	if err != nil {
		return nil, "", err
	}
	return []string{self, string(raw)}, child.ProgramVariable(launcherName), nil
}
