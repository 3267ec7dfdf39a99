package store

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
