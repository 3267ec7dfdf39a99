// Package disk reads and writes single files of a run folder: changes that a test can fail, plain files and their
// lines, locks, and files that a user named.
package disk
