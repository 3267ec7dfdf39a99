// Command concur-hub is the hub through which `concur run --hub` and `concur work` exchange traces: a NATS server
// with JetStream. It is a program of its own, so that concur has only the client. See docs/machines.md.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"github.com/seed-5817661a/concur/runner/hub/server"
)

func main() {
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, os.Interrupt, syscall.SIGTERM)
	if err := run(os.Args[1:], os.Stderr, stop); err != nil {
		if !errors.Is(err, flag.ErrHelp) {
			fmt.Fprintf(os.Stderr, "concur-hub: %v\n", err)
			os.Exit(2)
		}
	}
}

const usage = `concur-hub lets several machines work on one run: it is the server between
` + "`concur run --hub URL` and `concur work URL`" + `. See docs/machines.md.

Flags:
`

// run starts a hub with the flags in args, and ends it when stop receives a signal.
func run(args []string, w io.Writer, stop <-chan os.Signal) error {
	o := server.Options{Log: func(text string) { fmt.Fprintf(w, "concur-hub: %s\n", text) }}
	flags := flag.NewFlagSet("concur-hub", flag.ContinueOnError)
	flags.SetOutput(w)
	flags.StringVar(&o.Dir, "dir", filepath.Join(os.TempDir(), "concur-hub"), "`DIR` for the messages")
	flags.StringVar(&o.Listen, "listen", server.DefaultListen, "`HOST:PORT`; a HOST other than 127.0.0.1 needs "+
		"--token-file, --tls-cert and --tls-key")
	flags.StringVar(&o.TokenFile, "token-file", "", "`FILE` with the secret that runs and workers must send")
	flags.StringVar(&o.Certificate, "tls-cert", "", "`FILE` with the certificate of this server, in PEM form")
	flags.StringVar(&o.Key, "tls-key", "", "`FILE` with the key of the certificate")
	flags.Func("store", "maximum `SIZE` of all messages, such as 500M or 8G (default: half of the free disk, at most 8G)",
		func(text string) (err error) { o.Store, err = parseSize(text); return err })
	flags.Usage = func() { fmt.Fprint(w, usage); flags.PrintDefaults() }
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("%q is not a flag: see concur-hub --help", flags.Arg(0))
	}
	hub, err := server.Start(o)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "concur-hub: listening on %s, with at most %d MB of messages in %s\n", hub.URL(), hub.Store()>>20,
		o.Dir)
	signal := <-stop
	fmt.Fprintf(w, "concur-hub: %v: the messages are kept in %s\n", signal, o.Dir)
	hub.Close()
	return nil
}

// parseSize reads a number of bytes, with K, M or G after it.
func parseSize(text string) (int64, error) {
	units := map[string]int64{"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}
	digits, unit := text, int64(1)
	for name, n := range units {
		if before, has := strings.CutSuffix(strings.ToUpper(text), name); has {
			digits, unit = before, n
		}
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || n < 1 || n > (1<<62)/unit {
		return 0, fmt.Errorf("write a number, such as 500M or 8G")
	}
	return n * unit, nil
}
