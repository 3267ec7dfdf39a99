// Package trace is the record of one independent run of an agent on one query: its
// events as they happened, the evidence that tools returned, how it ended and why.
//
// It owns the vocabulary of outcomes and stop reasons (DESIGN.md §3) and the JSONL
// codec of trace.jsonl. It may import runner/model only.
package trace
