// Package runner runs an agent over a dataset: K independent traces of every query, then consensus, verdict
// and record. A Draft is a requested run; a Plan is a draft with its models and agents opened. This package
// schedules and stops traces; its subpackages define agents, recordings and settings. An Output receives
// everything that a run produces; the run folder and the progress display are outputs.
package runner
