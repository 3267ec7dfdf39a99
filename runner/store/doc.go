// Package store owns the run folder (docs/run-folder.md): its manifest, the JSONL files that one goroutine
// appends to, the lock that keeps a second writer out, resuming a stopped run, and reading everything back.
package store
