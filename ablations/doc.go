// Package ablations compares configurations of an agent over one dataset: the spec that
// says which (Read, Spec), and what their runs show against a baseline (Sides, Against, CompareRuns).
//
// It imports what runs are made of and ablations/result and ablations/facts. It runs nothing and renders nothing.
package ablations
