package copying

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"

	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/store/disk"
	"github.com/seed-5817661a/concur/runner/store/workers"
)

// copied matches the files of a run folder that Join copies unchanged. Their names have the digest of their
// content, so equal files have the same name.
var copied = regexp.MustCompile(`^(playbook-.*\.yaml|agent-[0-9a-f]{16}\.txt)$`)

// copyBeside appends the run's log and its list of workers to those of another run folder, and copies playbooks and
// files of agents to that folder.
func copyBeside(r *store.Run, d *disk.Disk, dir string) error {
	entries, err := os.ReadDir(r.Dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		appended := e.Name() == store.LogFile || e.Name() == workers.File
		if !appended && (!copied.MatchString(e.Name()) || disk.Exists(filepath.Join(dir, e.Name()))) {
			continue
		}
		if err := copyFile(r, d, e.Name(), dir); err != nil {
			return err
		}
	}
	return nil
}

// copyFile appends a file of the run to the file of the same name in another folder.
func copyFile(r *store.Run, d *disk.Disk, name, dir string) error {
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
func copyLabels(r, to *store.Run) error {
	labels, err := r.Labels()
	for _, l := range labels {
		if err == nil {
			err = to.AddLabel(context.Background(), l)
		}
	}
	return err
}
