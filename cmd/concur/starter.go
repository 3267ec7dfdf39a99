package main

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/reports"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/store"
)

// starterTemplates are files that init writes unchanged.
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

const ignoreRuns = "runs/"

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
	var taken []string
	for _, path := range starterPaths() {
		if _, err := os.Lstat(filepath.Join(folder, filepath.FromSlash(path))); err == nil {
			taken = append(taken, path)
		}
	}
	if len(taken) > 0 {
		return usagef("init overwrites nothing, and %s has %s already: move that away, or name another folder; nothing was written", folder, strings.Join(taken, ", "))
	}
	return nil
}

// writable tells before the runs whether a folder, or the nearest above it that exists, can be
// written into.
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

// writeTemplates writes the parts of a starter that need no run.
func writeTemplates(folder string) error {
	for path, template := range map[string]string{starterConfig: "concur.yaml", starterQueries: "queries.yaml", starterWorkflow: "workflow.yml"} {
		text, err := starterTemplates.ReadFile("starter/" + template)
		if err != nil {
			return fmt.Errorf("read template: %w", err)
		}
		text = bytes.Replace(text, []byte("CONCUR_VERSION: latest"), []byte("CONCUR_VERSION: "+installable()), 1)
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

var releaseOrCommit = regexp.MustCompile(`^(v[0-9]+\.[0-9]+\.[0-9]+|[0-9a-f]{40})$`)

// installable names this concur for `go install`: a release, or a clean commit, or, where
// it is neither, latest.
func installable() string {
	candidates := []string{version}
	if info, ok := debug.ReadBuildInfo(); ok { // as `go install` leaves it
		candidates = append(candidates, info.Main.Version)
	}
	if !strings.HasSuffix(version, "-dirty") {
		candidates = append(candidates, commit)
	}
	if i := slices.IndexFunc(candidates, releaseOrCommit.MatchString); i >= 0 {
		return candidates[i]
	}
	return "latest"
}

// addLine adds a line to a file of the folder unless it is there.
func addLine(folder, file, line string) error {
	path := filepath.Join(folder, file)
	old, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("add %s to %s: %w; all else is written: add that line yourself", line, file, err)
	}
	if slices.Contains(strings.Split(strings.ReplaceAll(string(old), "\r\n", "\n"), "\n"), line) {
		return nil
	}
	if len(old) > 0 && !bytes.HasSuffix(old, []byte("\n")) {
		old = append(old, '\n')
	}
	return store.Deliver(path, append(old, line+"\n"...))
}

// introduce says what was written, and how to go on.
func (c *console) introduce(folder string, queries int) error {
	var out bytes.Buffer
	for _, line := range [][2]string{
		{starterConfig, "the configuration: " + config.DefaultModel + ", which is no language model"},
		{starterQueries, fmt.Sprintf("%d queries to start from", queries)},
		{starterRecording + "/", fmt.Sprintf("a run of them (seed %d), which the workflow replays on every push", recordingSeed)},
		{starterBaseline, fmt.Sprintf("%d runs (seeds 1 to %d), which the gate compares a new one with", baselineRuns, baselineRuns)},
		{starterWorkflow, "for GitHub Actions, which reads it at the top of a repository; docs/ci.md has one for GitLab"},
		{starterIgnore, "has the line " + ignoreRuns},
		{starterMerge, "has the line " + mergeByUnion},
	} {
		fmt.Fprintf(&out, "wrote %-29s %s\n", line[0], line[1])
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
