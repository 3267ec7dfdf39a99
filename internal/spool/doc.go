// Package spool holds bytes until they are wanted: a little in memory, more in a temporary file.
package spool
