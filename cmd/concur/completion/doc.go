// Package completion completes command lines of concur in bash, zsh and fish: commands, flags, and the values
// of flags that take one of a few words.
//
// The scripts of bash and zsh ask the program for each completion. Package cli then returns commands and flags,
// and Values returns the words of a flag. The script of fish contains all words.
// ../testdata/script/completion.txtar tests the scripts.
package completion
