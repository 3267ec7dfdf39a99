package assemble

import (
	"errors"

	"github.com/seed-5817661a/concur/judge/program"
)

// openPrograms prepares two kinds of checks of the dataset: those that are programs, and those of the duration
// of a trace if traces are replayed. The error lists the programs that do not exist.
func (s *Session) openPrograms() error {
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
	var wrong []error
	for _, command := range found.Programs {
		wrong = append(wrong, checkProgram("a check of the dataset, exec", command))
	}
	if err := errors.Join(wrong...); err != nil {
		return err
	}
	if s.Draft.Manifest.Programs, err = program.Files(found.Programs); err != nil {
		return err
	}
	programs := &program.Programs{Env: s.a.environment(), Log: s.Models.log, Known: s.options.Checked,
		Hider: s.a.hiderOf(nil)}
	s.Plan.Programs = programs
	s.closers = append(s.closers, programs)
	s.a.killAtEnd(programs)
	return nil
}
