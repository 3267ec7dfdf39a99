// Command concur evaluates tool-using language-model agents by self-consistency. Run `concur --help`.
package main

import (
	"os"

	"github.com/seed-5817661a/concur/internal/conceal"
)

func main() {
	open := conceal.Process() // first, so that nothing has had the time to look; doctor reports it
	os.Exit(run(os.Args, console{in: os.Stdin, out: os.Stdout, err: os.Stderr, environ: os.Getenv, exit: os.Exit, open: open}))
}
