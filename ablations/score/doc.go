// Package score computes the figures of recorded answers: K answers to each query, from any agent or model,
// without a run. It reads files line by line and keeps only counts.
//
// It opens no models and renders nothing.
package score
