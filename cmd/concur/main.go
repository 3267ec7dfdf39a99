// Command concur evaluates tool-using language-model agents by self-consistency. Run `concur --help`.
package main

import "os"

func main() {
	os.Exit(run(os.Args, console{in: os.Stdin, out: os.Stdout, err: os.Stderr, environ: os.Getenv, exit: os.Exit}))
}
