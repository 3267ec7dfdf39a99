// Package playbook stores advice from earlier runs: short bullets, each with counts of how often it helped. It
// reads and writes playbooks, as YAML and in the text form of ACE (arXiv 2510.04618), and checks them. It
// changes them by operations that can be undone. It finds the bullets that fit a question.
//
// It neither runs agents nor reads runs: runner/playbook/learn derives operations from runs, and
// runner/agent/session shows bullets to a model.
package playbook
