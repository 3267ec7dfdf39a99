package console

import (
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"

	"github.com/seed-5817661a/concur/internal/secret"
	"github.com/seed-5817661a/concur/reports/document"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/store/runlist"
)

// Note prints a line of concur on standard error.
func (c *Console) Note(text string) { fmt.Fprintln(c.Err, "concur: "+text) }

// Tell prints an error after which the command goes on.
func (c *Console) Tell(err error) {
	c.Note(document.PrintableLines(secret.Redact(secret.New(c.Keys...).Hide(ExplainDisk(err).Error()))))
}

// KeyHider returns a function that removes keys from a text: those of the environment, and texts that look like a key.
func (c *Console) KeyHider() func(string) string {
	hider := secret.New(c.Keys...)
	return func(text string) string { return secret.RedactLong(hider.Hide(text)) }
}

// TellWatch says that the command does not end by itself.
func (c *Console) TellWatch() {
	if f, is := StreamOf(c.Err).(*os.File); !is || !term.IsTerminal(int(f.Fd())) {
		c.Note("--watch goes on until a signal ends it, also without a terminal: leave it out in a script or a CI")
	}
}

// TellReading prints how a file was read, if the notes say something.
func (c *Console) TellReading(notes []string) {
	var b strings.Builder
	for _, note := range notes {
		fmt.Fprintf(&b, "concur: %s\n", document.Clean(note))
	}
	io.WriteString(c.Err, ScreenOf(c.Err, c.Environ, 0).Fold(b.String()))
}

// FindRun opens a run that a command reads. It prints a warning if its run.yaml was changed, as the report
// does.
func (c *Console) FindRun(folder, name string) (*store.Run, error) {
	run, err := runlist.Find(folder, name)
	if err != nil {
		return nil, err
	}
	if err := run.Manifest.CheckSeal(); err != nil {
		fmt.Fprintf(c.Err, "concur: run %s: %v\n", run.Manifest.Run, err)
	}
	return run, nil
}
