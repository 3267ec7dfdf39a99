package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/seed-5817661a/concur/internal/lazy"
	"github.com/seed-5817661a/concur/runner/store/disk"
	"github.com/seed-5817661a/concur/runner/store/runfiles"
)

// Resume opens the run's folder for writing, to add the missing parts. It takes the lock, removes incomplete
// last lines, and records the resumption in the manifest. Prior has the finished parts.
//
// It returns an error without losing data if another process writes the folder, if the manifest was edited, or
// if a file is damaged elsewhere than at its end.
func (r *Run) Resume(now time.Time, of Scope) (*Writer, *Prior, error) {
	return Options{}.Resume(r, now, of)
}

func (o Options) Resume(r *Run, now time.Time, of Scope) (*Writer, *Prior, error) {
	w, prior, err := r.resume(now, of, o.Disk())
	if err != nil {
		return nil, nil, fmt.Errorf("resume run %s: %w; its content is unchanged", r.Dir, err)
	}
	return w, prior, nil
}

func (r *Run) resume(now time.Time, of Scope, d *disk.Disk) (_ *Writer, _ *Prior, err error) {
	files, err := runfiles.Open(d, r.Dir, 0, r.Manifest.LineSums())
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("%w: restore the file from a copy, or begin a new run", err)
	}
	if err != nil {
		return nil, nil, err
	}
	var log *os.File
	defer func() {
		if err != nil {
			files.Abandon()
			log.Close()
		}
	}()
	// Another process may have continued the run after r was read.
	m, err := readManifest(r.Dir)
	if err == nil {
		err = m.CheckSeal()
	}
	if err != nil {
		return nil, nil, err
	}
	var torn error // the error if a last line is incomplete
	if m.State == Complete {
		torn = r.Mendable("the last line is cut off, although the run is complete", nil)
	}
	if err = r.sealedAs(m); err != nil {
		return nil, nil, err
	}
	m.State = Running
	r.Manifest, files.Sums = m, m.LineSums()
	if log, err = openLog(d, r.Dir); err != nil {
		return nil, nil, err
	}
	still, err := files.LastChange()
	if err != nil {
		return nil, nil, err
	}
	if err = files.CutTails(torn); err == nil {
		err = files.Begin()
	}
	if err != nil {
		return nil, nil, err
	}
	prior, err := r.Prior(of)
	if err != nil {
		return nil, nil, err
	}
	m = m.WithFiles(nil)
	m.End = nil
	m.Resumed = append(slices.Clone(m.Resumed), now)
	m.PausedS += max(0, now.Sub(still).Seconds())
	if err := errors.Join(removeOutputs(d, r.Dir), m.Write(d, r.Dir)); err != nil {
		return nil, nil, err
	}
	r.Manifest = m
	w, err := newWriter(r.Dir, d, m, log)
	if err != nil {
		return nil, nil, err
	}
	go w.write(files)
	return w, prior, nil
}

// sealedAs checks the sizes of the files of a complete run.
func (r *Run) sealedAs(m Manifest) error {
	for f := range runfiles.Count {
		sealed, is := m.Files[f.Name()]
		size, _, err := r.sizeOf(f)
		if err != nil {
			return err
		}
		if m.State == Complete && is && size != sealed.Bytes {
			return r.Mendable(fmt.Sprintf("%s has the wrong length: it had %d bytes when the run was complete, and has %d",
				filepath.Join(r.Dir, f.Name()), sealed.Bytes, size), nil)
		}
	}
	return nil
}

// outputs matches the files of a complete run that are computed from its other files, such as summary.json. It
// also matches the temporary files of these outputs and of the manifest.
var outputs = lazy.Compile(`^(summary\.json|chat\.md|places\.jsonl|gate(-.*)?\.json|` +
	`\.(run\.yaml|summary\.json|chat\.md|places\.jsonl|gate(-.*)?\.json|(chat|trace)\.\d+\.jsonl\.zst)\..*)$`)

// removeOutputs removes outdated outputs, and the temporary files of a process that died.
func removeOutputs(d *disk.Disk, dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if !outputs.MatchString(e.Name()) {
			continue
		}
		if err := d.Remove(filepath.Join(dir, e.Name())); err != nil {
			return err
		}
	}
	return nil
}

// RepairCommand returns the command that repairs a damaged run.
func RepairCommand(dir string) string { return "concur runs repair " + ShellQuoted(dir) }

// AttackName is the name of the dataset and of the ablation of a run of `concur attack`.
const AttackName = "attack"

// IsAttack reports whether the run is one of `concur attack`. Such a run cannot be resumed, because its manifest does
// not have its cases.
func (m Manifest) IsAttack() bool {
	return m.Ablation == AttackName && m.Dataset.Name == AttackName && m.Dataset.Source == ""
}

// ResumeCommand returns the command that resumes a run or an ablation. For an attack, which cannot be resumed,
// it returns the command that begins a new one.
func ResumeCommand(dir string, m Manifest) string {
	command := "run"
	switch {
	case m.IsAttack():
		return "concur attack"
	case m.RejudgeOf != "":
		command = "rejudge"
	case m.Ablation != "":
		command = "ablate"
	}
	return "concur " + command + " --resume " + ShellQuoted(dir)
}

var plainWord = lazy.Compile(`^[A-Za-z0-9/._+,=@%:-]*$`)

// ShellQuoted quotes a word for a shell, if it needs quotes.
func ShellQuoted(word string) string {
	if plainWord.MatchString(word) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
