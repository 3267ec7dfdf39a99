// Package runner runs an agent over a dataset: K independent traces for every query, then
// consensus, verdict and record. A Draft is a run as it was asked for, a Plan what of it is open.
// It only schedules and stops; the packages beneath define agents, votes and verdicts.
package runner
