// Package container runs jobs in containers of docker or podman, or through a command of the user's, such as a wrapper
// of another sandbox. They hand on no descriptor but the standard streams. Therefore a program of ours, the boot
// program, is the first one inside: it gets the job over standard input, starts the interpreter with the pipe for its
// result, and prints the result as the last line of standard error, after a random mark that the script does not know.
package container
