package console

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/seed-5817661a/concur/internal/filekind"
	"github.com/seed-5817661a/concur/internal/lines"
)

// OrOther returns the error of a command that cannot read its file. needs describes the content that the
// command needs. If the file is for another command, the error names that command.
func OrOther(err error, path, command, needs string) error {
	if err == nil || path == "" || path == lines.Stdin {
		return err
	}
	kind, found := filekind.OfPath(path)
	extension := strings.ToLower(filepath.Ext(strings.TrimSuffix(path, ".gz")))
	switch {
	case !found, kind.IsFor(command):
		return err
	case kind.What == filekind.Dataset && extension == ".jsonl" && command != "import":
		return err // the file may only have other field names, which the error says
	case kind.What == filekind.Workbook, extension == ".csv", extension == ".tsv":
		return fmt.Errorf("%s: this is a table, and %s takes %s: write one object on each line, as --help shows it",
			path, command, needs)
	}
	return fmt.Errorf("%s: %s", path, kind.Says(path))
}
