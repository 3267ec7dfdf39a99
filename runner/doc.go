// Package runner takes a dataset through an agent: K independent traces for every query,
// then consensus, verdict and record. A Draft is a run as it was asked for, a Plan what of it
// is open. It schedules and stops; what an agent, a vote or a
// verdict is stands in the packages beneath.
//
// It may import everything beneath runner, consensus, judge and datasets.
package runner
