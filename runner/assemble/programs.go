package assemble

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/seed-5817661a/concur/judge/program"
	"github.com/seed-5817661a/concur/runner/assemble/programfiles"
)

// openPrograms prepares two kinds of checks of the dataset: those that are programs, and those of the duration
// of a trace if traces are replayed. The error lists the programs that do not exist.
func (s *Session) openPrograms(ctx context.Context) error {
	if r := s.options.Replay; r != nil && !r.judging {
		s.Plan.Seconds = r.Recording.Seconds
	}
	s.Draft.Manifest.Programs = nil
	if s.Draft.Dataset == nil || len(s.Draft.Dataset.Programmed()) == 0 {
		return nil
	}
	found, err := s.Draft.Dataset.Checks()
	if err != nil {
		return err
	}
	if err := s.openTests(ctx, found.Suites); err != nil {
		return err
	}
	if len(found.Programs) == 0 {
		return nil
	}
	if err := s.a.trustPrograms(s.Draft.Manifest.Dataset.Source); err != nil {
		return err
	}
	var wrong []error
	for _, command := range found.Programs {
		wrong = append(wrong, programfiles.Folder("").Check("a check of the dataset, exec", command))
	}
	if err := errors.Join(wrong...); err != nil {
		return err
	}
	files, err := program.Files(found.Programs)
	if err != nil {
		return err
	}
	s.addFiles(files)
	programs := &program.Programs{Env: s.a.environment(), Log: s.Models.Log, Known: s.options.Checked,
		Hider: s.a.HiderOf(nil)}
	s.Plan.Programs = programs
	s.closers = append(s.closers, programs)
	s.a.killAtEnd(programs)
	return nil
}

// AllowPrograms is the environment variable with which a dataset outside the working directory may start programs.
const AllowPrograms = "CONCUR_ALLOW_PROGRAMS"

// trustPrograms returns an error if a dataset with checks that are programs is a file outside the working directory,
// such as one that was downloaded: its programs would run with the rights of the user. What is in the working directory
// is trusted in the same way as concur.yaml there, which can start programs too. The variable is not read from .env.
func (a *Assembler) trustPrograms(source string) error {
	if a.ProcessVariable(AllowPrograms) == "true" || !filepath.IsAbs(source) { // a built-in dataset has a name
		return nil
	}
	here, err := os.Getwd()
	if err == nil {
		here, err = filepath.EvalSymlinks(here)
	}
	file, wrong := filepath.EvalSymlinks(source)
	if err := errors.Join(err, wrong); err != nil {
		return fmt.Errorf("find the folder of the dataset: %w", err)
	}
	if inside, err := filepath.Rel(here, file); err == nil && filepath.IsLocal(inside) {
		return nil
	}
	return fmt.Errorf("%s has checks that start programs, and is outside the working directory: read them with `concur "+
		"datasets check`, then set %s=true, or move the file here", source, AllowPrograms)
}
