// Package process runs other programs, each in its own process group, which ends as a whole, and logs their
// standard error line by line.
package process
