package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-5817661a/concur/internal/lazy"
	"github.com/seed-5817661a/concur/internal/spool"
	"github.com/seed-5817661a/concur/reports/document"
	"github.com/seed-5817661a/concur/reports/progress"
	"github.com/seed-5817661a/concur/runner/assemble"
	"github.com/seed-5817661a/concur/runner/store"
)

// output is the destination and the format of a command's result.
type output struct {
	spool.Buffer // the result, until it is complete
	format       string
	file         string
	stdout       io.Writer
	environ      func(string) string
	signals      *listener // set for a command that runs traces
	ran          string    // the folder of the run that has ended as it should; "" before
}

// The formats of a result in addition to those of reports.
const (
	formatTable = string(document.FormatTable)
	formatJSON  = "json"
	formatHTML  = "html" // one page with the traces
)

// withOutput returns an action that gets its output. Before the action begins, it checks that the output file
// can be written.
func (c *console) withOutput(given *arguments, result *resultOptions, action func(context.Context, *output) error,
	inputs ...*string) func(context.Context) error {
	return func(ctx context.Context) error {
		o := &output{format: result.format, file: result.out, stdout: c.out, environ: c.environ}
		read := append(slices.Clone(given.words), "concur.yaml")
		for _, input := range inputs {
			read = append(read, *input)
		}
		if err := result.check(read...); err != nil {
			return err
		}
		return action(ctx, o)
	}
}

// withRun returns an action that runs traces. Signals end the run in order.
func (c *console) withRun(given *arguments, result *resultOptions, action func(context.Context, *output) error,
	inputs ...*string) func(context.Context) error {
	return c.withOutput(given, result, func(ctx context.Context, o *output) error {
		o.signals = c.listen()
		defer o.signals.stop()
		return action(ctx, o)
	}, inputs...)
}

// check returns an error if a file for a result cannot be used, see checkOut.
func (r *resultOptions) check(inputs ...string) error {
	return cmp.Or(checkOut(flagOut, r.out, inputs), checkOut(flagJunit, r.junit, inputs),
		checkOut(flagMarkdown, r.markdown, inputs))
}

// checkOut returns an error for an output file that cannot be written, that the command reads, or that is in the
// folder of a run. It follows links.
func checkOut(flag, file string, inputs []string) error {
	if file == "" {
		return nil
	}
	for _, input := range inputs {
		if sameFile(file, input) {
			return usagef("--%s %s is a file that the command reads: choose another file", flag, file)
		}
	}
	if info, err := os.Stat(file); err == nil && info.IsDir() {
		return usagef("--%s %s is a folder: name a file in it", flag, file)
	}
	if info, err := os.Stat(filepath.Dir(file)); err != nil || !info.IsDir() {
		return usagef("--%s %s: there is no folder %s; make it first", flag, file, filepath.Dir(file))
	}
	if real, err := filepath.EvalSymlinks(file); err == nil {
		file = real
	}
	if _, err := os.Stat(filepath.Join(filepath.Dir(file), "run.yaml")); err == nil {
		return usagef("--%s %s is in the run's folder, which the command reads: choose another folder", flag, file)
	}
	return nil
}

// spareInputs returns an error if the result's file would replace a file that a run reads: its dataset, its
// prices, or a file in the folder of its corpus.
func (o *output) spareInputs(m store.Manifest) error {
	file, err := filepath.Abs(o.file)
	if o.file == "" || err != nil {
		return err
	}
	for _, conf := range m.Configurations {
		if err := checkOut(flagOut, o.file, []string{m.Dataset.Source, conf.Prices}); err != nil {
			return err
		}
		for at, dir := file, filepath.Dir(file); dir != at; at, dir = dir, filepath.Dir(dir) {
			if sameFile(dir, conf.Search.Corpus) { // also if it is a link
				return usagef("--out %s is in the corpus, which the command reads: choose another folder", o.file)
			}
		}
	}
	return nil
}

// screen returns the screen for the result; if wide is set, its lines have any length.
func (o *output) screen(wide bool) document.Screen {
	s := screenOf(o.stdout, o.environ, usualWidth)
	if o.file != "" {
		s = screenOf(nil, o.environ, usualWidth)
	}
	if wide {
		s.Width = 0
	}
	return s
}

// folded returns an action whose text is broken at the width of a terminal. If the output is not a terminal,
// lines are not broken, so that they can be searched.
func (c *console) folded(action func(context.Context, io.Writer) error) func(context.Context) error {
	return func(ctx context.Context) error {
		var b bytes.Buffer
		err := action(ctx, &b)
		_, unwritten := io.WriteString(c.out, screenOf(c.out, c.environ, 0).Fold(b.String()))
		return cmp.Or(err, unwritten)
	}
}

// foldedUnlessJSON is like folded, but if the format is JSON, the output of the action is printed unchanged.
func (c *console) foldedUnlessJSON(format *string, action func(context.Context,
	io.Writer) error) func(context.Context) error {
	return func(ctx context.Context) error {
		if *format != formatJSON {
			return c.folded(action)(ctx)
		}
		var b bytes.Buffer
		if err := action(ctx, &b); err != nil {
			return err
		}
		_, err := b.WriteTo(c.out)
		return err
	}
}

// writeValue writes a value as JSON, or as text with the function text.
func writeValue[T any](o *output, v T, text func(io.Writer, T, document.Screen) error) error {
	return o.write(func() error {
		if o.format == formatJSON {
			return document.WriteJSON(o, v)
		}
		return text(o, v, o.screen(false))
	})
}

// write builds the whole result, and then delivers it.
func (o *output) write(build func() error) error {
	defer o.Close() // removes a result that was not delivered
	if err := build(); err != nil {
		return err
	}
	var err error
	if o.file != "" {
		err = store.DeliverStream(o.file, func(f *os.File) error { _, err := o.WriteTo(f); return err })
	} else if _, err = o.WriteTo(o.stdout); err != nil {
		err = fmt.Errorf("write result to standard output: %w", err)
	}
	if err != nil {
		return &exitError{exitInvalid, fmt.Errorf("%w; the run itself is kept, and `concur report` shows it", err)}
	}
	return nil
}

var formatOption = lazy.Compile(`(?:^| )--?format[= ](\S*)`)

// wantsJSON reports whether the arguments or the environment request JSON. It is for failures that happen
// before flags are parsed.
func wantsJSON(args []string, environ assemble.Environ) bool {
	if m := formatOption.FindStringSubmatch(strings.Join(args, " ")); m != nil {
		return m[1] == formatJSON
	}
	return environ("CONCUR_FORMAT") == formatJSON
}

// errorDocument replaces the result after a failure: with --format json, standard output is always one valid
// document.
type errorDocument struct {
	Schema string `json:"schema"`
	Error  string `json:"error"`
	Code   int    `json:"exit_code"`
}

func sameFile(a, b string) bool {
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	return errX == nil && errY == nil && os.SameFile(x, y)
}

// progress returns the console that shows the progress of a command.
func (c *console) progress(quiet bool) progress.Console {
	on := progress.Console{W: streamOf(c.err), Colour: screenOf(c.err, c.environ, 0).Colour, Quiet: quiet}
	if c.environ("TERM") != "dumb" {
		on.Size = progress.SizeOf(streamOf(c.err))
	}
	return on
}

// usualWidth is the width, in columns, of outputs that are not terminals: a file, a pipe, the log of a CI job.
const usualWidth = 80

// screenOf returns the screen for tables. Its width is COLUMNS. If that is not set, it is the width of the
// terminal, or else the argument width. It has colours only on a terminal, and only if NO_COLOR is not set
// (https://no-color.org).
func screenOf(w io.Writer, environ func(string) string, width int) document.Screen {
	w = streamOf(w)
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
