// Package limit bounds a trace: the number of tool calls, repetitions of one call, failures of a tool before it is
// excluded, and the length of a tool's output. Decisions are plain values, made before anything runs.
//
// It may import runner/tool and runner/trace.
package limit
