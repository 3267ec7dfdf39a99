// Package score gives the figures of recorded answers: K answers to each query, from any
// agent or model, without a run. It reads files line by line and keeps counts only.
//
// It opens no models and renders nothing.
package score
