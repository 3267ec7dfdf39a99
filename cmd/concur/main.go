// Command concur evaluates tool-using language-model agents by self-consistency. Run `concur --help`.
package main

import (
	"os"

	"github.com/seed-5817661a/concur/internal/conceal"
	"github.com/seed-5817661a/concur/internal/secret"
	"github.com/seed-5817661a/concur/internal/stdlog"
)

func main() {
	open := conceal.Process() // first, so that nothing has had the time to look; doctor reports it
	variables := os.Environ()
	stdlog.Silence(secret.New(secret.OfEnvironment(variables)...))
	os.Exit(run(os.Args, console{
		in: os.Stdin, out: os.Stdout, err: os.Stderr, environ: os.Getenv, variables: variables, exit: os.Exit, open: open,
	}))
}
