// Package flags has the arguments and flags of commands: their names, the groups that several commands share, the
// options that they fill, the flags that set keys of the configuration, and the errors of a wrong command line.
package flags
