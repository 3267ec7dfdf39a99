package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/store/disk"
	"github.com/seed-5817661a/concur/runner/store/linefile"
	"github.com/seed-5817661a/concur/runner/store/workers"
	"github.com/seed-5817661a/concur/trace"
)

// CopyTraces makes a new run folder with the run's traces, their exchanges and the labels of people, so that
// concur can decide and judge them again. It does not copy the records, or the exchanges of verifier and
// judges. m is the manifest of the new run. The state of the new run is interrupted until it is resumed.
func (r *Run) CopyTraces(runsDir string, m Manifest) (_ *Run, err error) {
	dir, d := filepath.Join(runsDir, m.Run), Options{}.disk()
	if err := os.MkdirAll(runsDir, 0o700); err != nil {
		return nil, fmt.Errorf("create runs folder: %w; choose another with --runs-dir", err)
	}
	if err := d.Mkdir(dir); err != nil {
		return nil, fmt.Errorf("create run folder: %w; choose another place with --runs-dir", err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(fmt.Errorf("copy the traces of run %s: %w", r.Dir, err), os.RemoveAll(dir))
		}
	}()
	m.Schema, m.State, m.Resumed, m.PausedS, m.End, m.Sums = ManifestSchema, Interrupted, r.Manifest.Resumed, 0, nil, 1
	m.Telemetry = nil
	m = m.withFiles(nil)
	copied := &Run{Dir: dir, Manifest: m}
	if err := r.copyLines(d, copied); err != nil {
		return nil, err
	}
	if err := r.copyLabels(copied); err != nil {
		return nil, err
	}
	if exists(filepath.Join(r.Dir, workers.File)) {
		if err := r.copyFile(d, workers.File, dir); err != nil {
			return nil, err
		}
	}
	if err := m.write(d, dir); err != nil {
		return nil, err
	}
	return Open(dir)
}

// JoinedLine names a line that Join copies.
type JoinedLine struct {
	Part int // index of the line's run
	// Identity is the identity of an exchange or an event. An event has no purpose, and a record only the
	// query.
	model.Identity
	Configuration string // configuration of a record; "" for other lines
}

// Join makes a run folder from the lines of several runs, one run after another. It calls take for every line,
// and copies the line if take returns true. If take returns an error, Join ends. It also copies labels, logs
// and playbooks. Only one line is in memory at a time.
//
// While Join writes the folder, the folder has a hidden name, and List skips it. At the end it gets the name
// dir. Join never replaces an existing folder. m is the manifest of the new run, with its state. If another
// process is writing one of the runs, Join returns an error.
func Join(dir string, m Manifest, runs []*Run, take func(JoinedLine) (bool, error)) (*Run, error) {
	return Options{}.Join(dir, m, runs, take)
}

// hiddenPrefix is the beginning of the name of an incomplete folder; List skips such folders.
const hiddenPrefix = ".merging-"

func (o Options) Join(dir string, m Manifest, runs []*Run, take func(JoinedLine) (bool, error)) (_ *Run, err error) {
	d := o.disk()
	if _, err := os.Lstat(dir); err == nil {
		return nil, fmt.Errorf("join runs into %s: %w: name another folder", dir, fs.ErrExist)
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o700); err != nil {
		return nil, fmt.Errorf("join runs: %w", err)
	}
	hidden := &Run{Dir: filepath.Join(filepath.Dir(dir), hiddenPrefix+filepath.Base(dir)), Manifest: m}
	if err := hidden.Remove(); err != nil { // remove the folder that a killed process left
		return nil, fmt.Errorf("join runs into %s: %w", dir, err)
	}
	if err := d.Mkdir(hidden.Dir); err != nil {
		return nil, fmt.Errorf("join runs: %w", err)
	}
	defer func() {
		if err != nil && d.Dead == nil {
			err = errors.Join(fmt.Errorf("join runs into %s: %w", dir, err), os.RemoveAll(hidden.Dir))
		}
	}()
	hidden.Manifest.Schema, hidden.Manifest.Sums = ManifestSchema, 1
	sealed, err := hidden.joinFiles(d, runs, take)
	if err != nil {
		return nil, err
	}
	for _, r := range runs {
		if err := r.copyLabels(hidden); err != nil {
			return nil, err
		}
	}
	if m.State != Complete {
		sealed = nil
	}
	if err := hidden.Manifest.withFiles(sealed).write(d, hidden.Dir); err != nil {
		return nil, err
	}
	if err := d.Do("rename", dir, func() error { return os.Rename(hidden.Dir, dir) }); err != nil {
		return nil, err
	}
	if err := d.SyncDir(filepath.Dir(dir)); err != nil {
		return nil, err
	}
	return Open(dir)
}

// joinFiles writes the files of a joined run, and returns their sizes and hashes.
func (r *Run) joinFiles(d *disk.Disk, runs []*Run, take func(JoinedLine) (bool, error)) (map[string]Sealed, error) {
	out, err := openFiles(d, r.Dir, os.O_CREATE|os.O_EXCL, r.Manifest.sums())
	if err != nil {
		return nil, err
	}
	defer out.abandon() // does nothing after close
	if err := out.begin(); err != nil {
		return nil, err
	}
	for i, part := range runs {
		held, err := disk.OpenFile(filepath.Join(part.Dir, jsonl[traceFile].name))
		if err == nil && errors.Is(disk.TryLock(held), disk.ErrHeld) { // on a system without locks, we can still read
			err = fmt.Errorf("run %s: %w", part.Dir, disk.ErrHeld)
		}
		if err == nil {
			err = errors.Join(part.joinLines(out, i, take), part.copyBeside(d, r.Dir))
		}
		held.Close() // closing a file that was only read cannot lose data; does nothing if held is nil
		if err != nil {
			return nil, err
		}
	}
	return out.sealed(), out.close()
}

// joinLines copies the lines of a run that take accepts. They keep their numbers within their traces.
func (r *Run) joinLines(out *files, part int, take func(JoinedLine) (bool, error)) error {
	for f := range jsonl {
		for line, err := range r.rawLines(fileIndex(f), linefile.Start) {
			if err != nil {
				return err
			}
			of := JoinedLine{Part: part}
			if fileIndex(f) == resultsFile {
				var head linefile.RecordHead
				if err = head.Read(line); err != nil {
					err = linefile.Damaged(err)
				}
				of.Query, of.Configuration = head.Query, head.Configuration
			} else {
				err = linefile.DecodeHead(line.Text, &of.Identity)
			}
			keep := false
			if err == nil {
				keep, err = take(of)
			}
			if err != nil {
				return line.Wrap(err)
			}
			if !keep {
				continue
			}
			at := linefile.Place{Line: out.written[f].lines + 1, OfTrace: line.OfTrace}
			if err := out.write(fileIndex(f), append(out.sums.Add(linefile.WithoutSum(line.Text), at), '\n')); err != nil {
				return err
			}
		}
	}
	return nil
}

// PlaybookFile returns the name of a playbook's copy in a run folder. digest is its digest in AgentFacts.Files.
func PlaybookFile(digest string) string {
	return filepath.Base("playbook-" + shortDigest(digest) + ".yaml")
}

// AgentFile returns the name of the copy of an external agent's file in a run folder. digest is as for
// PlaybookFile.
func AgentFile(digest string) string { return filepath.Base("agent-" + shortDigest(digest) + ".txt") }

func shortDigest(digest string) string { return digest[:min(len(digest), 16)] }

// copied matches the files of a run folder that Join copies unchanged. Their names have the digest of their
// content, so equal files have the same name.
var copied = regexp.MustCompile(`^(playbook-.*\.yaml|agent-[0-9a-f]{16}\.txt)$`)

// copyBeside appends the run's log and its list of workers to those of another run folder, and copies playbooks and
// files of agents to that folder.
func (r *Run) copyBeside(d *disk.Disk, dir string) error {
	entries, err := os.ReadDir(r.Dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		appended := e.Name() == logFile || e.Name() == workers.File
		if !appended && (!copied.MatchString(e.Name()) || exists(filepath.Join(dir, e.Name()))) {
			continue
		}
		if err := r.copyFile(d, e.Name(), dir); err != nil {
			return err
		}
	}
	return nil
}

// copyFile appends a file of the run to the file of the same name in another folder.
func (r *Run) copyFile(d *disk.Disk, name, dir string) error {
	in, err := disk.OpenFile(filepath.Join(r.Dir, name))
	if err != nil {
		return err
	}
	defer in.Close() // closing a file that was only read cannot lose data
	out, err := d.Open(filepath.Join(dir, name), os.O_CREATE|os.O_WRONLY)
	if err != nil {
		return err
	}
	_, err = io.Copy(disk.Appender{Disk: d, File: out}, in)
	return errors.Join(err, out.Close())
}

// copyLabels copies the labels of people.
func (r *Run) copyLabels(to *Run) error {
	labels, err := r.Labels()
	for _, l := range labels {
		if err == nil {
			err = to.AddLabel(context.Background(), l)
		}
	}
	return err
}

// copyLines copies the lines that belong to traces: all events except extractions, and the agent's exchanges.
// It copies no records.
func (r *Run) copyLines(d *disk.Disk, to *Run) error {
	out, err := openFiles(d, to.Dir, os.O_CREATE|os.O_EXCL, to.Manifest.sums())
	if err != nil {
		return err
	}
	defer out.abandon() // does nothing after close
	if err := out.begin(); err != nil {
		return err
	}
	for _, f := range []fileIndex{chatFile, traceFile} {
		for line, err := range r.rawLines(f, linefile.Start) {
			var x linefile.Head
			if err == nil {
				err = linefile.DecodeHead(line.Text, &x)
			}
			if err == nil && (x.Event != "" && x.Event != trace.ExtractionEvent || x.Purpose == model.Agent) {
				err = out.put(f, linefile.WithoutSum(line.Text), x)
			}
			if err != nil {
				return err
			}
		}
	}
	return out.close()
}

// Joined returns the facts of an agent that occurs in two runs: the names of its models and the digests of its
// requests from both runs.
func (f AgentFacts) Joined(more AgentFacts) AgentFacts {
	f.Models, f.Requests = with(f.Models, more.Models...), with(f.Requests, more.Requests...)
	f.Unset = with(f.Unset, more.Unset...)
	if f.Beyond != "" && len(f.Requests) > 0 {
		f.Sent = sealOf(f.Beyond, f.Requests)
	}
	return f
}
