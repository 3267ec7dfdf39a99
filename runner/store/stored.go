package store

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"time"

	"github.com/seed-5817661a/concur/internal/lines"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/store/linefile"
	"github.com/seed-5817661a/concur/runner/store/runfiles"
	"github.com/seed-5817661a/concur/runner/store/workers"
	"github.com/seed-5817661a/concur/trace"
)

// Stored calls done when all earlier lines are in the files. done is called by the goroutine that writes, so it must
// return soon. It is not called after a write error.
func (w *Writer) Stored(done func()) { w.append(item{runfiles.Traces, callback(done), true}) }

// callback takes the place of a line: it is called when the lines before it are in the files.
type callback func()

// reported reports whether an item is a callback. It flushes the lines before it, and then calls it.
func (w *Writer) reported(files *runfiles.Set, i item) bool {
	done, is := i.value.(callback)
	if !is {
		return false
	}
	if w.fail(files.Flush()); w.err == nil {
		done()
	}
	return true
}

// appendTo writes the line of an item.
func (w *Writer) appendTo(files *runfiles.Set, i item) error {
	if x, ok := i.value.(Exchange); ok {
		i.value = w.nameSettings(x)
	}
	line, err := lines.Encode(i.value)
	if err != nil {
		return fmt.Errorf("encode a line of %s: %w", i.file.Name(), err)
	}
	var of linefile.Head
	switch x := i.value.(type) {
	case trace.Event:
		of = linefile.Head{Event: x.Name(), Session: x.Session,
			Identity: model.Identity{Agent: x.Agent, Query: x.Query, Trace: x.Trace, Path: x.Path}}
	case Exchange:
		of = linefile.Head{Identity: x.Identity, Session: x.Session}
	}
	w.index.add(i, line, files.Size(i.file))
	if i.flush { // first write the lines on which this line depends
		if err := files.Flush(); err != nil {
			return err
		}
	}
	if err := files.Put(i.file, line, of); err != nil {
		return err
	}
	if i.flush {
		return files.Flush()
	}
	return nil
}

// nameSettings replaces the settings of an exchange by a name, except when they occur for the first time. So a
// trace of T turns needs only O(T) bytes.
func (w *Writer) nameSettings(x Exchange) Exchange {
	raw, err := json.Marshal(x.RequestSettings)
	if err != nil || x.RequestSettings == nil { // encoding the exchange reports the error
		return x
	}
	sum := sha256.Sum256(raw)
	x.Settings = hex.EncodeToString(sum[:6])
	if w.settings[x.Settings] {
		x.RequestSettings = nil
	}
	w.settings[x.Settings] = true
	return x
}

// countWorkers sets the workers of the manifest, and lists them in the run's log.
func (w *Writer) countWorkers() {
	made, err := workers.Sums(w.dir)
	if err != nil { // no result depends on them
		slog.New(slog.NewTextHandler(w.log, nil)).Error("count the traces of workers", "error", err)
		return
	}
	w.manifest.Workers = made
	for _, name := range slices.Sorted(maps.Keys(made)) {
		// If the write fails, the manifest has the same.
		_, _ = fmt.Fprintf(w.log, "%s  traces of worker %.60q (concur %.40q): %d\n",
			time.Now().Format("2006-01-02 15:04:05.000"), name, made[name].Version, made[name].Traces)
	}
}
