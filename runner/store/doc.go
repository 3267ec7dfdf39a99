// Package store reads and writes the run folder (docs/run-folder.md): its manifest, and JSONL files to which
// one goroutine appends. It locks the folder against a second writer, and resumes stopped runs.
//
// The packages below it have what needs no knowledge of records and traces: runfiles appends lines, linefile reads and
// checks them, parts compresses them, disk changes files. The packages runlist, copying and upkeep use store: they find,
// join, repair and compress runs.
package store
