// Package limit bounds what a trace may spend: how many tool calls it makes, how often
// it repeats one, and how much of a tool's output it is shown. The decisions are plain
// values, taken before anything runs.
//
// It may import runner/tool and runner/trace.
package limit
