package console

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"

	"github.com/seed-5817661a/concur/internal/spool"
	"github.com/seed-5817661a/concur/reports/document"
	"github.com/seed-5817661a/concur/reports/progress"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/store/disk"
)

// Output is the destination and the format of a command's result.
type Output struct {
	spool.Buffer // the result, until it is complete
	Format       string
	File         string
	Stdout       io.Writer
	Environ      func(string) string
	Signals      *Listener // set for a command that runs traces
	Ran          string    // the folder of the run that has ended as it should; "" before
}

// The formats of a result in addition to those of reports.
const (
	FormatTable = string(document.FormatTable)
	FormatJSON  = "json"
	FormatHTML  = "html" // one page with the traces
)

// CheckOut returns an error for an output file that cannot be written, that the command reads, or that is in the
// folder of a run. It follows links.
func CheckOut(flag, file string, inputs []string) error {
	if file == "" {
		return nil
	}
	for _, input := range inputs {
		if SameFile(file, input) {
			return Usagef("--%s %s is a file that the command reads: choose another file", flag, file)
		}
	}
	if info, err := os.Stat(file); err == nil && info.IsDir() {
		return Usagef("--%s %s is a folder: name a file in it", flag, file)
	}
	if info, err := os.Stat(filepath.Dir(file)); err != nil || !info.IsDir() {
		return Usagef("--%s %s: there is no folder %s; make it first", flag, file, filepath.Dir(file))
	}
	if real, err := filepath.EvalSymlinks(file); err == nil {
		file = real
	}
	if _, err := os.Stat(filepath.Join(filepath.Dir(file), "run.yaml")); err == nil {
		return Usagef("--%s %s is in the run's folder, which the command reads: choose another folder", flag, file)
	}
	return nil
}

// SpareInputs returns an error if the result's file would replace a file that a run reads: its dataset, its
// prices, or a file in the folder of its corpus.
func (o *Output) SpareInputs(m store.Manifest) error {
	file, err := filepath.Abs(o.File)
	if o.File == "" || err != nil {
		return err
	}
	for _, conf := range m.Configurations {
		if err := CheckOut("out", o.File, []string{m.Dataset.Source, conf.Prices}); err != nil {
			return err
		}
		for at, dir := file, filepath.Dir(file); dir != at; at, dir = dir, filepath.Dir(dir) {
			if SameFile(dir, conf.Search.Corpus) { // also if it is a link
				return Usagef("--out %s is in the corpus, which the command reads: choose another folder", o.File)
			}
		}
	}
	return nil
}

// Screen returns the screen for the result; if wide is set, its lines have any length.
func (o *Output) Screen(wide bool) document.Screen {
	s := ScreenOf(o.Stdout, o.Environ, UsualWidth)
	if o.File != "" {
		s = ScreenOf(nil, o.Environ, UsualWidth)
	}
	if wide {
		s.Width = 0
	}
	return s
}

// Folded returns an action whose text is broken at the width of a terminal. If the output is not a terminal,
// lines are not broken, so that they can be searched.
func (c *Console) Folded(action func(context.Context, io.Writer) error) func(context.Context) error {
	return func(ctx context.Context) error {
		var b bytes.Buffer
		err := action(ctx, &b)
		_, unwritten := io.WriteString(c.Out, ScreenOf(c.Out, c.Environ, 0).Fold(b.String()))
		return cmp.Or(err, unwritten)
	}
}

// FoldedUnlessJSON is like folded, but if the format is JSON, the output of the action is printed unchanged.
func (c *Console) FoldedUnlessJSON(format *string, action func(context.Context,
	io.Writer) error) func(context.Context) error {
	return func(ctx context.Context) error {
		if *format != FormatJSON {
			return c.Folded(action)(ctx)
		}
		var b bytes.Buffer
		if err := action(ctx, &b); err != nil {
			return err
		}
		_, err := b.WriteTo(c.Out)
		return err
	}
}

// WriteValue writes a value as JSON, or as text with the function text.
func WriteValue[T any](o *Output, v T, text func(io.Writer, T, document.Screen) error) error {
	return o.Deliver(func() error {
		if o.Format == FormatJSON {
			return document.WriteJSON(o, v)
		}
		return text(o, v, o.Screen(false))
	})
}

// Deliver builds the whole result, and then delivers it.
func (o *Output) Deliver(build func() error) error {
	defer o.Close() // removes a result that was not delivered
	if err := build(); err != nil {
		return err
	}
	var err error
	if o.File != "" {
		err = disk.DeliverStream(o.File, func(f *os.File) error { _, err := o.WriteTo(f); return err })
	} else if _, err = o.WriteTo(o.Stdout); err != nil {
		err = fmt.Errorf("write result to standard output: %w", err)
	}
	if err != nil {
		return WithCode(ExitInvalid, fmt.Errorf("%w; the run itself is kept, and `concur report` shows it", err))
	}
	return nil
}

// SameFile reports whether two paths lead to the same file.
func SameFile(a, b string) bool {
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	return errX == nil && errY == nil && os.SameFile(x, y)
}

// Progress returns the console that shows the progress of a command.
func (c *Console) Progress(quiet bool) progress.Console {
	on := progress.Console{W: StreamOf(c.Err), Colour: ScreenOf(c.Err, c.Environ, 0).Colour, Quiet: quiet}
	if c.Environ("TERM") != "dumb" {
		on.Size = progress.SizeOf(StreamOf(c.Err))
	}
	return on
}

// UsualWidth is the width, in columns, of outputs that are not terminals: a file, a pipe, the log of a CI job.
const UsualWidth = 80

// ScreenOf returns the screen for tables. Its width is COLUMNS. If that is not set, it is the width of the
// terminal, or else the argument width. It has colours only on a terminal, and only if NO_COLOR is not set
// (https://no-color.org).
func ScreenOf(w io.Writer, environ func(string) string, width int) document.Screen {
	w = StreamOf(w)
	s := document.Screen{Width: width}
	if size := progress.SizeOf(w); size != nil {
		s.Colour = environ("NO_COLOR") == "" && environ("TERM") != "dumb"
		s.Width, _ = size()
	}
	if columns, err := strconv.Atoi(environ("COLUMNS")); err == nil && columns > 0 {
		s.Width = columns
	}
	return s
}

// MayReplace returns an error if a file, folder or link exists and --force is not given. Devices and pipes may
// always be written.
func MayReplace(force bool, file string) error {
	info, err := os.Stat(file)
	if err != nil { // a link to a missing file exists too
		info, err = os.Lstat(file)
	}
	if err == nil && info.Mode()&(os.ModeDevice|os.ModeNamedPipe) == 0 && !force {
		return Usagef("write %s: there is such a file already; choose another name, or replace it with --force", file)
	}
	return nil
}
