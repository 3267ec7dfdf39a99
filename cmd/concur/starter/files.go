package starter

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-5817661a/concur/internal/lazy"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/store/disk"
)

//go:embed files
var templates embed.FS

//go:embed files/introduction.txt
var introduction string

// The files of a starter, as paths with slashes within its folder.
const (
	Config    = "concur.yaml"
	Queries   = "queries.yaml"
	Baseline  = "baseline.jsonl"
	Sent      = "baseline.sent.jsonl" // what the last run of the baseline sent
	Recording = "recording"           // a folder
	Workflow  = ".github/workflows/concur.yml"

	ignoreFile   = ".gitignore"     // gets a line more
	mergeFile    = ".gitattributes" // gets a line more
	ignoreRuns   = "runs/"
	mergeByUnion = Baseline + " merge=union" // git keeps the lines that two branches added
)

// Template returns the template of Config, Queries or Workflow. The version of concur is not yet filled in.
func Template(file string) ([]byte, error) { return templates.ReadFile("files/" + path.Base(file)) }

// vacant returns an error if the folder already has one of the files.
func vacant(folder string) error {
	if info, err := os.Stat(folder); err == nil && !info.IsDir() {
		return fmt.Errorf("init writes into a folder, but %s is a file: name a folder", folder)
	}
	var taken []string
	for _, file := range []string{Config, Queries, Recording, Baseline, Sent, Workflow} {
		if _, err := os.Lstat(filepath.Join(folder, filepath.FromSlash(file))); err == nil {
			taken = append(taken, file)
		}
	}
	if len(taken) > 0 {
		return fmt.Errorf("init overwrites no file, and %s already has %s: move them away, or name another folder; "+
			"nothing was written", folder, strings.Join(taken, ", "))
	}
	return nil
}

// writable checks, before the runs, that files can be written into a folder. If the folder does not exist, it
// checks the nearest existing parent folder.
func writable(folder string) error {
	for _, err := os.Stat(folder); err != nil && folder != filepath.Dir(folder); _, err = os.Stat(folder) {
		folder = filepath.Dir(folder)
	}
	probe, err := os.MkdirTemp(folder, ".concur-init-")
	if err != nil {
		return err
	}
	return os.Remove(probe)
}

// writeTemplates writes the files that need no run.
func (s Starter) writeTemplates(folder string) error {
	for _, name := range []string{Config, Queries, Workflow} {
		text, err := Template(name)
		if err != nil {
			return fmt.Errorf("read template: %w", err)
		}
		text = bytes.Replace(text, []byte("CONCUR_VERSION: latest"), []byte("CONCUR_VERSION: "+s.installable()), 1)
		file := filepath.Join(folder, filepath.FromSlash(name))
		if err = os.MkdirAll(filepath.Dir(file), 0o777); err == nil {
			err = os.WriteFile(file, text, 0o666)
		}
		if err != nil {
			return fmt.Errorf("write %s: %w", name, err)
		}
	}
	return nil
}

var releaseOrCommit = lazy.Compile(`^(v[0-9]+\.[0-9]+\.[0-9]+|[0-9a-f]{40})$`)

// installable returns the version of concur for `go install`. This is a release; or a commit, if the build has
// no uncommitted changes; or else latest.
func (s Starter) installable() string {
	candidates := []string{s.Version}
	if info, ok := debug.ReadBuildInfo(); ok { // set by `go install`
		candidates = append(candidates, info.Main.Version)
	}
	if !strings.HasSuffix(s.Version, "-dirty") {
		candidates = append(candidates, s.Commit)
	}
	if i := slices.IndexFunc(candidates, releaseOrCommit.MatchString); i >= 0 {
		return candidates[i]
	}
	return "latest"
}

func addLine(folder, file, line string) error {
	whole := filepath.Join(folder, file)
	old, err := os.ReadFile(whole)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("add %s to %s: %w; all other files were written: add the line yourself", line, file, err)
	}
	if slices.Contains(strings.Split(strings.ReplaceAll(string(old), "\r\n", "\n"), "\n"), line) {
		return nil
	}
	if len(old) > 0 && !bytes.HasSuffix(old, []byte("\n")) {
		old = append(old, '\n')
	}
	return disk.Deliver(whole, append(old, line+"\n"...))
}

// Introduction describes the written files and the next commands.
func Introduction(folder string, queries int) string {
	cd := ""
	if folder != "." {
		cd = fmt.Sprintf("  cd %s\n", store.ShellQuoted(folder))
	}
	return strings.NewReplacer("{{queries}}", strconv.Itoa(queries), "{{cd}}", cd).Replace(introduction)
}
