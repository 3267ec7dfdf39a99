package store

import (
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"time"

	"github.com/seed-5817661a/concur/runner/store/workers"
)

// Stored calls done when all earlier lines are in the files. done is called by the goroutine that writes, so it must
// return soon. It is not called after a write error.
func (w *Writer) Stored(done func()) { w.append(item{traceFile, callback(done), true}) }

// callback takes the place of a line: it is called when the lines before it are in the files.
type callback func()

// reported reports whether an item is a callback. It flushes the lines before it, and then calls it.
func (w *Writer) reported(files *files, i item) bool {
	done, is := i.value.(callback)
	if !is {
		return false
	}
	if w.fail(files.flush()); w.err == nil {
		done()
	}
	return true
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
