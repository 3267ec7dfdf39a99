// Package trace defines the record of one independent run of an agent on one query: its events, the evidence
// that tools returned, its outcome and the cause.
//
// It defines the outcomes and stop reasons (docs/glossary.md#how-a-trace-ends), and the JSONL form of
// trace.jsonl.
package trace
