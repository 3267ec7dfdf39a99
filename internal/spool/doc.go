// Package spool holds output until it is whole: a little in memory, more in a temporary file.
package spool
