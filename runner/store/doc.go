// Package store owns the run folder (DESIGN.md §7): its manifest, the JSONL files that one goroutine appends to, the
// lock that keeps a second writer out, taking up a run that was stopped, and reading everything back.
//
// It may import runner/config, runner/trace, runner/model, consensus and judge.
package store
