// Package filewatch waits until files change. It looks at them from time to time, which works on every file system, and
// compares contents, so that a file that is only touched has not changed.
package filewatch
