// Package runfiles knows the JSONL files of a run folder: their names, their order, and how lines are appended to them.
// Each line gets its place and its checksum. The lines of a file that has become large are moved into a compressed
// part. The package does not know what the lines mean: package store encodes and decodes them.
package runfiles
