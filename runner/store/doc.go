// Package store owns the run folder (DESIGN.md §7): its manifest, the JSONL files that
// one goroutine appends to, and reading them back.
//
// It may import runner/config, runner/trace, runner/model, consensus and judge.
package store
