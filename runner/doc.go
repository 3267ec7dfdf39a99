// Package runner runs an agent over a dataset: K independent traces for every query, then consensus, verdict
// and record. A Draft is a requested run; a Plan is a draft with its models and agents opened. The package
// only schedules and stops; the packages beneath define agents, votes and verdicts. An Output receives what a run
// produces: the run folder is one, what shows the progress another.
package runner
