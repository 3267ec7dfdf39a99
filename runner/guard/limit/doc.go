// Package limit bounds what a trace may spend: how many tool calls it makes, how often
// it repeats one, how often a tool may fail before it is taken out, and how much of a
// tool's output is shown. The decisions are plain values, taken before anything runs.
//
// It may import runner/tool and runner/trace.
package limit
