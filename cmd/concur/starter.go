package main

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/reports"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/store"
)

// starterTemplates are what init writes as it stands.
//
//go:embed starter
var starterTemplates embed.FS

// The files of a starter, as paths with slashes within its folder.
const (
	starterConfig    = "concur.yaml"
	starterQueries   = "queries.yaml"
	starterBaseline  = "baseline.jsonl"
	starterRecording = "recording" // a folder
	starterWorkflow  = ".github/workflows/concur.yml"
	starterIgnore    = ".gitignore"     // is added to
	starterMerge     = ".gitattributes" // is added to
)

// mergeByUnion lets git keep both sides of a baseline that two branches have added to.
const mergeByUnion = starterBaseline + " merge=union"

func starterPaths() []string {
	return []string{starterConfig, starterQueries, starterRecording, starterBaseline, starterWorkflow}
}

// vacant refuses a folder in which any of the starter's files is there already.
func vacant(folder string) error {
	if info, err := os.Stat(folder); err == nil && !info.IsDir() {
		return usagef("init writes into a folder, and %s is a file: name a folder", folder)
	}
	if link := linked(folder); link != "" {
		return usagef("init writes into its folder alone, and %s in %s is a link, which may lead elsewhere: put a file or folder in its place; nothing was written", link, folder)
	}
	var taken []string
	for _, path := range starterPaths() {
		_, err := os.Lstat(filepath.Join(folder, filepath.FromSlash(path)))
		if err == nil {
			taken = append(taken, path)
		} else if !errors.Is(err, fs.ErrNotExist) {
			return usagef("init: %w", err)
		}
	}
	if len(taken) > 0 {
		return usagef("init overwrites nothing, and %s has %s already: move that away, or name another folder; nothing was written", folder, strings.Join(taken, ", "))
	}
	return nil
}

// linked is the first link on the way to what init adds to, "" where there is none. A link
// that is in the place of a file of the starter is taken, as any file is.
func linked(folder string) string {
	for _, path := range []string{path.Dir(path.Dir(starterWorkflow)), path.Dir(starterWorkflow), starterIgnore, starterMerge} {
		info, err := os.Lstat(filepath.Join(folder, filepath.FromSlash(path)))
		if err == nil && info.Mode()&(fs.ModeSymlink|fs.ModeIrregular) != 0 { // irregular as the junctions of Windows
			return path
		}
	}
	return ""
}

// present counts what there is of a starter: its folder, files, and the folders on the way.
func present(folder string) int {
	n := 0
	for _, path := range append(starterPaths(), ".", path.Dir(path.Dir(starterWorkflow)), path.Dir(starterWorkflow)) {
		if _, err := os.Lstat(filepath.Join(folder, filepath.FromSlash(path))); err == nil {
			n++
		}
	}
	return n
}

// writeTemplates writes the parts of a starter that need no run.
func writeTemplates(folder string) error {
	for path, template := range map[string]string{starterConfig: "concur.yaml", starterQueries: "queries.yaml", starterWorkflow: "workflow.yml"} {
		text, err := starterTemplates.ReadFile("starter/" + template)
		if err != nil {
			return fmt.Errorf("read template: %w", err)
		}
		if path == starterWorkflow {
			text = pinned(text, installable())
		}
		file := filepath.Join(folder, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			return fmt.Errorf("write %s: %w", path, err)
		}
		if err := os.WriteFile(file, text, 0o666); err != nil {
			return fmt.Errorf("write %s: %w", path, err)
		}
	}
	return nil
}

// pinned is the workflow with the version that it installs.
func pinned(workflow []byte, version string) []byte {
	const anchor = "CONCUR_VERSION: "
	return bytes.Replace(workflow, []byte(anchor+"latest"), []byte(anchor+version), 1)
}

var (
	releaseVersion = regexp.MustCompile(`^v[0-9]+\.[0-9]+\.[0-9]+$`)
	wholeCommit    = regexp.MustCompile(`^[0-9a-f]{40}$`)
)

// installable names this concur for `go install`: a release, or a clean commit, or, where
// it is neither, latest.
func installable() string {
	candidates := []string{version}
	if info, ok := debug.ReadBuildInfo(); ok { // as `go install` leaves it
		candidates = append(candidates, info.Main.Version)
	}
	for _, v := range candidates {
		if releaseVersion.MatchString(v) {
			return v
		}
	}
	if wholeCommit.MatchString(commit) && !strings.HasSuffix(version, "-dirty") {
		return commit
	}
	return "latest"
}

// addLine adds a line to a file of the folder unless it, or one that says the same, is there,
// and reports whether it had to.
func addLine(folder, file, line string, same ...string) (added bool, err error) {
	fail := func(err error) (bool, error) {
		return false, fmt.Errorf("add %s to %s: %w; all else is written: add that line yourself", line, file, err)
	}
	path := filepath.Join(folder, file)
	old, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fail(err)
	}
	for have := range strings.Lines(string(old)) {
		if slices.Contains(append(same, line), strings.TrimSpace(have)) {
			return false, nil
		}
	}
	add := line + "\n"
	if len(old) > 0 && !bytes.HasSuffix(old, []byte("\n")) {
		add = "\n" + add
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err == nil {
		_, err = f.WriteString(add)
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		return fail(err)
	}
	return true, nil
}

// repositoryAbove is the top of the git repository in which a folder lies, "" where it is
// the top itself, or lies in none.
func repositoryAbove(folder string) string {
	at, err := filepath.Abs(folder)
	if err != nil {
		return ""
	}
	for dir := at; ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, ".git")); err == nil {
			if dir == at {
				return ""
			}
			return dir
		}
		if dir == filepath.Dir(dir) {
			return ""
		}
	}
}

// introduce says what was written, and how to go on.
func (c *console) introduce(folder string, queries int, added [][2]string) error {
	var out bytes.Buffer
	for _, line := range [][2]string{
		{starterConfig, "the configuration: " + config.DefaultModel + ", which is no language model"},
		{starterQueries, fmt.Sprintf("%d queries to start from", queries)},
		{starterRecording + "/", fmt.Sprintf("a run of them (seed %d), which the workflow replays on every push", recordingSeed)},
		{starterBaseline, fmt.Sprintf("%d runs (seeds 1 to %d), which the gate compares a new one with", baselineRuns, baselineRuns)},
		{starterWorkflow, "for GitHub Actions; docs/ci.md has one for GitLab"},
	} {
		fmt.Fprintf(&out, "wrote %-29s %s\n", line[0], line[1])
	}
	for _, line := range added {
		fmt.Fprintf(&out, "added %-29s to %s\n", line[1], line[0])
	}
	if top := repositoryAbove(folder); top != "" {
		fmt.Fprintf(&out, "\nGitHub reads workflows at the top of a repository only: move %s to %s, and give its jobs this folder as working-directory.\n", starterWorkflow, reports.Printable(top))
	}
	out.WriteString("\nNext:\n")
	if folder != "." {
		fmt.Fprintf(&out, "  cd %s\n", reports.Printable(store.ShellQuoted(folder)))
	}
	fmt.Fprintf(&out, "  concur run --seed %d\n  concur gate latest\n  git add .gitignore .gitattributes %s\n", baselineRuns+1, strings.Join(starterPaths(), " "))
	if _, err := out.WriteTo(c.out); err != nil {
		return &exitError{exitInvalid, fmt.Errorf("write to standard output: %w; the files are written", err)}
	}
	return nil
}
