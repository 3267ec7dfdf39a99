// Package reports writes the results of runs and of recorded answers, for people and for programs. It formats
// figures but does not compute them. Subpackages write other reports, such as traces, the decision of a gate
// and lists of runs.
package reports
