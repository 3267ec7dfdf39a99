// Package playbook holds what earlier runs taught: short bullets of advice with counts of how often each helped. It
// reads and writes them as YAML and in the text form of ACE (arXiv 2510.04618), checks them, changes them by
// operations that can be undone, and finds those that fit a question.
//
// It neither runs agents nor reads runs: runner/playbook/learn makes operations of runs, and runner/agent/session
// shows bullets to a model.
package playbook
