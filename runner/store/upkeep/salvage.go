package upkeep

import (
	"bufio"
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"unique"

	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/store/disk"
	"github.com/seed-5817661a/concur/runner/store/linefile"
	"github.com/seed-5817661a/concur/runner/store/parts"
	"github.com/seed-5817661a/concur/runner/store/runfiles"
)

// salvaged describes the lines of a file that a repair keeps.
type salvaged struct {
	Repaired
	run     *store.Run
	file    runfiles.File
	source  string   // the plain file that is read; a temporary file if there are parts
	parts   []string // paths of the parts
	lines   []keptLine
	changed bool // the file must be written again
	whole   bool // all written lines are present
	last    int  // the highest line number that was found
	cut     bool // in a run of an older version: drop the remaining lines
}

// keptLine has two positions of a kept line: its present position in the file, and the position at which it was
// written.
type keptLine struct {
	offset int64
	length int
	place  linefile.Place
	linefile.Head
}

// salvage finds the undamaged lines of a file. The caller must close the result, also after an error.
func salvage(r *store.Run, f runfiles.File) (*salvaged, error) {
	s := &salvaged{Repaired: Repaired{File: f.Name()}, run: r, file: f, whole: true}
	if err := s.join(); err != nil {
		return s, err
	}
	file, err := disk.OpenFile(s.source)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) && disk.CheckPlain(s.path()) == nil {
			return s, err // a plain file for which permission is missing
		}
		s.changed, s.whole = true, false
		s.Missing = max(0, r.Manifest.Files[s.File].Lines-1)
		return s, nil
	}
	defer file.Close() // closing a file that was only read cannot lose data
	if err := s.scan(disk.NewLineReader(file, 0)); err != nil {
		return s, err
	}
	s.order()
	s.dropBroken()
	if f == runfiles.Chat {
		if err := s.dropUnsettled(file); err != nil {
			return s, err
		}
	}
	s.Kept = len(s.lines)
	sealed, is := r.Manifest.Files[s.File]
	if is && r.Manifest.State == store.Complete {
		s.Missing += max(0, sealed.Lines-s.last)
		s.whole = s.Kept+1 == sealed.Lines // any other line in the file did not belong to the run
		s.changed = s.changed || !s.whole  // if a file was cut at a line end, only the seal shows it
	}
	return s, nil
}

// join writes all readable text of a file and its parts into one plain file.
func (s *salvaged) join() (err error) {
	s.source = s.path()
	if s.parts, err = parts.All(s.path()); err != nil || len(s.parts) == 0 {
		return err
	}
	joined, err := os.CreateTemp(s.run.Dir, disk.Temporary(s.path())+"*")
	if err != nil {
		return err
	}
	s.source = joined.Name()
	out := bufio.NewWriterSize(joined, 1<<20)
	s.changed, err = parts.Salvage(out, s.path(), disk.OpenFile)
	return errors.Join(err, out.Flush(), joined.Close())
}

// close removes the temporary file.
func (s *salvaged) close() error {
	if s.source == s.path() {
		return nil
	}
	return os.Remove(s.source)
}

func (s *salvaged) path() string { return filepath.Join(s.run.Dir, s.File) }

// scan reads the file, and keeps the undamaged lines.
func (s *salvaged) scan(in *disk.LineReader) error {
	hasPlaces := s.run.Manifest.LineSums().HasPlaces
	seen, records := map[any]bool{}, lastSessions{}
	for n := 1; ; n++ {
		at := in.Offset
		text, err := in.Next()
		done := errors.Is(err, io.EOF)
		if err != nil && !done && !errors.Is(err, disk.ErrLong) {
			return fmt.Errorf("read %s: %w", s.path(), err)
		}
		switch {
		case done && len(text) == 0 && n > 1:
			return nil
		case n == 1:
			if string(text) != linefile.FirstLine(s.file.Schema()) {
				s.changed = true
				s.drop()
			}
		case done || err != nil || s.cut: // the line is cut off, too long, or after a damaged one
			s.drop()
		default:
			line := keptLine{offset: at, length: len(text)}
			line.place, err = s.run.Manifest.LineSums().Check(text)
			var key any = line.place.Line
			if !hasPlaces {
				key = sha256.Sum256(text)
			}
			if err == nil && seen[key] { // dropping a duplicate loses nothing
				s.Dropped++
				s.changed = true
				continue
			}
			if err == nil {
				err = s.decode(text, &line, records)
			}
			if err != nil {
				s.cut = !hasPlaces
				s.drop()
				continue
			}
			seen[key] = true
			s.lines = append(s.lines, line)
		}
		if done {
			return nil
		}
	}
}

// drop drops a line that may have been needed.
func (s *salvaged) drop() {
	s.Dropped++
	s.changed, s.whole = true, false
}

// decode reads the fields of a line that say where it belongs.
func (s *salvaged) decode(text []byte, line *keptLine, records lastSessions) error {
	if s.file == runfiles.Results {
		var rec store.Record
		if err := json.Unmarshal(text, &rec); err != nil {
			return err
		}
		if !records.decides(rec) {
			return linefile.ErrDamaged
		}
		return nil
	}
	if err := linefile.DecodeHead(text, &line.Head); err != nil {
		return err
	}
	if line.Query == "" || line.Event == "" && line.Purpose == "" {
		return linefile.ErrDamaged
	}
	for _, name := range []*string{&line.Agent, &line.Query, &line.Path, &line.Task, &line.Event} {
		*name = unique.Make(*name).Value() // a run has many lines but few names
	}
	return nil
}

// lastSessions has the session in which each query was last decided, by configuration and query.
type lastSessions map[[2]string]int

// decides reports whether a record is the first one of its query in its session. If it is, it is noted.
func (l lastSessions) decides(rec store.Record) bool {
	of := [2]string{rec.Configuration, rec.Query}
	if last, known := l[of]; known && last >= rec.Timing.Session {
		return false
	}
	l[of] = rec.Timing.Session
	return true
}

// order sorts the lines by their places, and counts the missing lines between them.
func (s *salvaged) order() {
	if !s.run.Manifest.LineSums().HasPlaces {
		return
	}
	last, moved := 1, 0 // the first line has no place
	for _, l := range s.lines {
		if l.place.Line < last {
			moved++
		}
		last = max(last, l.place.Line)
	}
	if s.Moved = moved; moved > 0 {
		s.changed = true
		slices.SortFunc(s.lines, func(a, b keptLine) int { return cmp.Compare(a.place.Line, b.place.Line) })
	}
	s.last = last
	s.Missing = last - 1 - len(s.lines)
	if s.Missing > 0 {
		s.changed, s.whole = true, false
	}
}

// dropBroken drops all lines of a trace that has ended, or of a conversation, if one of the lines is missing.
func (s *salvaged) dropBroken() {
	if !s.run.Manifest.LineSums().HasPlaces {
		return
	}
	next, broken := map[linefile.Group]int{}, map[linefile.Group]bool{}
	for _, l := range s.lines {
		g, is := l.Group()
		if !is || l.place.OfTrace == 0 {
			continue
		}
		if next[g]++; l.place.OfTrace != next[g] {
			broken[g] = true
		}
		if l.Ends() {
			next[g] = 0
		}
	}
	s.keep(func(l keptLine) bool {
		g, _ := l.Group()
		return !broken[g]
	})
}

// keep drops the lines for which ok is false.
func (s *salvaged) keep(ok func(keptLine) bool) {
	before := len(s.lines)
	s.lines = slices.DeleteFunc(s.lines, func(l keptLine) bool { return !ok(l) })
	if n := before - len(s.lines); n > 0 {
		s.Dropped += n
		s.changed, s.whole = true, false
	}
}

// dropUnsettled drops the exchanges whose request settings were in a missing line.
func (s *salvaged) dropUnsettled(file *os.File) error {
	settings := make([]string, len(s.lines)) // names of settings, for exchanges that do not contain the settings
	full := map[string]bool{}
	for i, l := range s.lines {
		text, err := l.read(file)
		if err != nil {
			return err
		}
		var x struct {
			Settings string `json:"settings"`
		}
		if err := json.Unmarshal(text, &x); err != nil {
			return fmt.Errorf("read %s: %w", s.path(), linefile.Damaged(err))
		}
		if linefile.NamesSettings(text) && x.Settings != "" {
			settings[i] = unique.Make(x.Settings).Value()
		} else {
			full[x.Settings] = true
		}
	}
	at := -1
	s.keep(func(keptLine) bool {
		at++
		return settings[at] == "" || full[settings[at]]
	})
	return nil
}

func (l keptLine) read(file *os.File) ([]byte, error) {
	text := make([]byte, l.length)
	_, err := file.ReadAt(text, l.offset)
	return text, err
}
