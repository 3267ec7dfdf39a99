// Package ablations compares configurations of an agent over one dataset. Read and Spec read the file that
// lists the configurations; Sides, Against and CompareRuns compare their runs with a baseline.
//
// It imports the packages that define runs, and ablations/result and ablations/facts. It does not run agents
// and does not render reports.
package ablations
