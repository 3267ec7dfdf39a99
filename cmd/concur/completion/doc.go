// Package completion completes command lines of the command concur in bash, zsh and fish: commands, flags, and the
// values of flags that take one of a few words.
//
// The scripts of bash and zsh ask the program for each completion. That of fish has all commands and flags in it.
package completion
