// Package spool keeps bytes until they are needed: a few in memory, more in a temporary file. It also sorts texts in
// this way.
package spool
