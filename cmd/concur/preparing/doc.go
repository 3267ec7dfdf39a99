// Package preparing has the commands that read files of other programs: datasets, which checks, converts and splits
// questions, and import, which makes runs of results.
package preparing
