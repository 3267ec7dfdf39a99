// Command concur evaluates tool-using language-model agents by self-consistency. Run
// `concur --help`.
package main

import "os"

func main() {
	os.Exit(run(os.Args, os.Stdin, os.Stdout, os.Stderr))
}
