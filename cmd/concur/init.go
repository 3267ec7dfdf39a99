package main

import (
	"bytes"
	"context"
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/ablations/baseline"
	"github.com/seed-5817661a/concur/internal/assemble"
	"github.com/seed-5817661a/concur/reports"
	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/store"
)

const (
	baselineRuns  = 5 // at seeds 1, 2, …: as many as a pool has, so that the gate decides from the first day
	recordingSeed = 1
)

func (c *console) initAction(ctx *cli.Context) error {
	folder := filepath.Clean(ctx.Args().First()) // "." without one
	if err := vacant(folder); err != nil {
		return err
	}
	if err := writable(folder); err != nil {
		return fmt.Errorf("init: %w; name a folder that can be made and written into, and try again", err)
	}
	// Everything is made elsewhere first, so that what fails or is stopped leaves nothing.
	work, err := os.MkdirTemp("", "concur-init-")
	if err != nil {
		return fmt.Errorf("init: make a temporary folder: %w; TMPDIR names another place", err)
	}
	defer os.RemoveAll(work)
	s := &starter{console: c, made: filepath.Join(work, "made"), runs: filepath.Join(work, "runs")}
	if err := s.fill(ctx); err != nil {
		if exitCode(err) == exitInterrupted {
			return &exitError{exitInterrupted, errors.New("interrupted; nothing was written")}
		}
		return fmt.Errorf("init: %w", err)
	}
	if err := os.CopyFS(folder, os.DirFS(s.made)); err != nil { // overwrites nothing either
		return fmt.Errorf("init: %w; remove what was written into %s until then, and try again", err, folder)
	}
	if err := errors.Join(addLine(folder, starterIgnore, ignoreRuns), addLine(folder, starterMerge, mergeByUnion)); err != nil {
		return err
	}
	return c.introduce(folder, s.queries)
}

type starter struct {
	*console
	made    string // its files, as they will be in the folder
	runs    string
	queries int
	signals *listener
}

// fill writes the templates and runs the dataset for what needs runs.
func (s *starter) fill(ctx *cli.Context) error {
	if err := writeTemplates(s.made); err != nil {
		return err
	}
	file, err := config.Load(filepath.Join(s.made, starterConfig), config.New())
	if err != nil {
		return err
	}
	conf := file.Configuration.Completed()
	s.signals = s.listen()
	defer s.signals.stop()
	accepted := &baseline.Baseline{}
	share, stop := s.progress(ctx.Bool(flagQuiet)).Bar(fmt.Sprintf("make the baseline of %d runs of the offline model", baselineRuns))
	defer stop()
	for seed := int64(1); seed <= baselineRuns; seed++ {
		share(float64(seed-1) / baselineRuns)
		if err := s.accept(ctx, conf, seed, accepted); err != nil {
			return err
		}
	}
	raw, err := accepted.Encode()
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(s.made, starterBaseline), raw, 0o666)
}

// accept runs the dataset once, and lets the run into the baseline.
func (s *starter) accept(ctx *cli.Context, conf config.Configuration, seed int64, accepted *baseline.Baseline) error {
	draft, err := newDraft(ctx, filepath.Join(s.made, starterQueries), []config.Configuration{conf})
	if err != nil {
		return err
	}
	// The recording is committed: it must name its dataset from where it will lie, and no
	// commit of wherever init was run.
	draft.Manifest.Seed, draft.Manifest.Dataset.Source, draft.Manifest.GitCommit = seed, starterQueries, nil
	s.queries = len(draft.Dataset.Queries)
	run, err := s.run(ctx, draft)
	if err != nil {
		return err
	}
	pass, err := readPass(run, "")
	if err != nil {
		return err
	}
	if err := accepted.Add(baseline.Candidate{Pass: pass}, draft.Dataset); err != nil {
		return err
	}
	if seed != recordingSeed {
		return nil
	}
	// chat.md shows to people what chat.jsonl holds, and would double what is committed.
	if err := os.Remove(filepath.Join(run.Dir, "chat.md")); err != nil {
		return err
	}
	return os.Rename(run.Dir, filepath.Join(s.made, starterRecording))
}

// run runs a draft without a word; init tells its own story.
func (s *starter) run(ctx *cli.Context, draft runner.Draft) (*store.Run, error) {
	silent := *s.console
	silent.out, silent.err = io.Discard, io.Discard
	o := &output{format: formatTable, stdout: io.Discard, environ: s.environ, signals: s.signals}
	dir := ""
	err := s.assembler.While(ctx.Context, draft, assemble.Options{}, func(running context.Context, open *assemble.Session) error {
		out, err := store.Create(s.runs, open.Manifest())
		if err != nil {
			return err
		}
		dir = out.Dir()
		return silent.execute(ctx, running, open, out, nil, o)
	})
	if err != nil {
		return nil, err
	}
	return store.Open(dir)
}

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

	ignoreRuns   = "runs/"
	mergeByUnion = starterBaseline + " merge=union" // git keeps what either of two branches has added
)

var starterPaths = []string{starterConfig, starterQueries, starterRecording, starterBaseline, starterWorkflow}

// vacant refuses a folder in which any of the starter's files is there already.
func vacant(folder string) error {
	if info, err := os.Stat(folder); err == nil && !info.IsDir() {
		return usagef("init writes into a folder, and %s is a file: name a folder", folder)
	}
	var taken []string
	for _, path := range starterPaths {
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
		if err = os.MkdirAll(filepath.Dir(file), 0o777); err == nil {
			err = os.WriteFile(file, text, 0o666)
		}
		if err != nil {
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

func (c *console) introduce(folder string, queries int) error {
	text, err := starterTemplates.ReadFile("starter/introduction.txt")
	if err != nil {
		return fmt.Errorf("read template: %w", err)
	}
	cd := ""
	if folder != "." {
		cd = fmt.Sprintf("  cd %s\n", reports.Printable(store.ShellQuoted(folder)))
	}
	if _, err := strings.NewReplacer("{{queries}}", strconv.Itoa(queries), "{{cd}}", cd).WriteString(c.out, string(text)); err != nil {
		return &exitError{exitInvalid, fmt.Errorf("write to standard output: %w; the files are written", err)}
	}
	return nil
}
