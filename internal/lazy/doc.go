// Package lazy holds regular expressions that are compiled at their first use. A short command, such as `concur
// version` or the completion of a command line by the shell, then compiles only the few that it uses, and starts in
// less time.
package lazy
