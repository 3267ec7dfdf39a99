// Package reports renders results and traces for people and for programs. It does no
// arithmetic beyond formatting: whatever a report shows was computed before.
//
// It may import runner, runner/config, ablations/result, ablations/gate, runner/store, runner/trace, runner/model,
// consensus, judge and datasets.
package reports
