package store

import (
	"iter"
	"path/filepath"

	"github.com/seed-5817661a/concur/runner/store/linefile"
)

// sums returns the checksums of the run.
func (m Manifest) sums() linefile.Sums { return linefile.Sums{Run: m.Run, HasPlaces: m.Sums > 0} }

// rawLines reads the lines of a JSONL file from a position; from start it reads all lines except the header. If
// the run is incomplete and the last line is cut off, it ignores this line. For any other line that cannot be
// read, it returns an error with the line's number. If the run is complete and sealed, it also returns an error
// if the file's end differs from the seal.
func (r *Run) rawLines(f fileIndex, from linefile.Position) iter.Seq2[linefile.Line, error] {
	of := linefile.File{Path: filepath.Join(r.Dir, jsonl[f].name), Schema: jsonl[f].schema,
		Sums: r.Manifest.sums(), Mend: r.mendable}
	if r.Manifest.State == Complete {
		of.Whole = true
		if sealed, is := r.Manifest.Files[jsonl[f].name]; is && of.Sums.HasPlaces {
			of.Sealed = &linefile.Size{Bytes: sealed.Bytes, Lines: sealed.Lines}
		}
	}
	return of.Lines(from)
}
