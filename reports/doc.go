// Package reports writes the results of runs and of recorded answers, for people and for programs. It formats figures
// but does not compute them. Its subpackages write other reports, such as traces, a gate's decision and lists of runs.
package reports
