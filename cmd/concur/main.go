// Command concur evaluates tool-using language-model agents by self-consistency. Run `concur --help`.
package main

import (
	"os"
	"strings"

	"github.com/seed-5817661a/concur/cmd/concur/console"
	"github.com/seed-5817661a/concur/internal/conceal"
	"github.com/seed-5817661a/concur/internal/secret"
	"github.com/seed-5817661a/concur/internal/stdlog"
)

func main() {
	open := conceal.Process() // first, before other programs can look; doctor reports a failure
	forgetBlank(os.Environ())
	variables := os.Environ()
	stdlog.Silence(secret.New(secret.OfEnvironment(variables)...))
	os.Exit(run(os.Args, console.Console{
		In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Environ: os.Getenv, Variables: variables, Exit: os.Exit, Exposed: open,
	}))
}

// forgetBlank unsets concur's variables that are empty, so that they count as not set: a CI sets variables
// without a value to the empty text.
func forgetBlank(variables []string) {
	for _, variable := range variables {
		if name, value, _ := strings.Cut(variable, "="); value == "" && strings.HasPrefix(name, "CONCUR_") {
			_ = os.Unsetenv(name) // fails only for a name that no variable can have
		}
	}
}
