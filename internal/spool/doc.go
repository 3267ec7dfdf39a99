// Package spool keeps bytes until they are needed: a few in memory, more in a temporary file.
package spool
