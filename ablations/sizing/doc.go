// Package sizing plans runs: how many queries, with how many traces each, detect a drop of the agent (docs/method.md
// §5.6). It plans by the traces of a run, or by rates that a person states.
package sizing
