// Package score gives the figures of recorded answers: K answers to each query, from any
// agent or model, without a run. It reads files line by line and keeps counts only.
//
// It may import ablations, ablations/baseline, ablations/result, internal/stats, internal/lines, internal/memo, consensus, judge,
// datasets, datasets/answer, runner/config, runner/store and runner/trace. It opens no models and renders nothing.
package score
