// Package store reads and writes the run folder (docs/run-folder.md): its manifest, and JSONL files to which
// one goroutine appends. It locks the folder against a second writer, and resumes stopped runs.
package store
