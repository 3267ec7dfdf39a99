// Package ablations compares configurations of an agent over one dataset: it reads the spec that lists them
// (Read, Spec), and compares their runs with a baseline (Sides, Against, CompareRuns).
//
// It imports the packages that define runs, and ablations/result and ablations/facts. It runs nothing and
// renders nothing.
package ablations
