// Package completion completes command lines of the command concur in bash, zsh and fish: commands, flags, and the
// values of flags that take one of a few words.
//
// The scripts of bash and zsh ask the program for each completion: package cli answers with commands and flags,
// Values with the words of a flag. The script of fish contains them all. The scripts are tested in
// ../testdata/script/completion.txtar.
package completion
