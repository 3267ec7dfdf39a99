package preparing

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"net"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/cmd/concur/console"
	"github.com/seed-5817661a/concur/cmd/concur/flags"
	"github.com/seed-5817661a/concur/internal/serving"
	"github.com/seed-5817661a/concur/reports/document"
	"github.com/seed-5817661a/concur/runner/imports/collect"
)

//go:embed help/collect.txt
var collectHelp string

// tokenVariable is the environment variable with the token that senders need.
const tokenVariable = "CONCUR_COLLECT_TOKEN"

// collectOptions holds the flags of concur collect.
type collectOptions struct {
	flags.Arguments

	listen, dir, tokenFile string
	most                   int
}

// CollectCommand returns the command `concur collect`.
func CollectCommand(c *console.Console) *cli.Command {
	var given collectOptions
	return &cli.Command{
		Name: "collect", Description: flags.Described(collectHelp),
		Usage: "receive spans of OpenTelemetry, and keep them for import",
		Flags: []cli.Flag{
			&cli.StringFlag{
				Name: "listen", Destination: &given.listen, Value: "127.0.0.1:4318",
				Usage: "`HOST:PORT` to listen on; port 0 chooses a free port",
			},
			&cli.StringFlag{
				Name: "dir", TakesFile: true, Destination: &given.dir, Value: "traces",
				Usage: "write into `FOLDER`",
			},
			&cli.IntFlag{
				Name: "max-mib", Destination: &given.most, Value: 10240,
				Usage: "refuse spans when the folder has `N` MiB",
			},
			&cli.StringFlag{
				Name: "token-file", TakesFile: true, Destination: &given.tokenFile, DefaultText: "$" + tokenVariable,
				Usage: "`FILE` with the token that senders need, as Authorization: Bearer TOKEN",
			},
		},
		Action: flags.Takes(&given.Arguments, "no arguments; name the folder with --dir", func(ctx context.Context) error {
			return collectAction(ctx, c, &given)
		}),
	}
}

func collectAction(ctx context.Context, c *console.Console, given *collectOptions) (err error) {
	token, err := given.token(c)
	if err != nil {
		return err
	}
	if given.most < 1 {
		return console.Usagef("--max-mib is %d: give 1 or more", given.most)
	}
	listener, err := net.Listen("tcp", given.listen)
	if err != nil {
		return console.Usagef("listen on %s: %w; choose another with --listen", given.listen, err)
	}
	if address, ok := listener.Addr().(*net.TCPAddr); token == "" && (!ok || !address.IP.IsLoopback()) {
		return errors.Join(console.Usagef("%s is not a loopback address, and anyone who reaches it could send spans: set "+
			"--token-file or %s", listener.Addr(), tokenVariable), listener.Close())
	}
	to, err := collect.New(collect.Options{Dir: given.dir, Most: int64(given.most) << 20, Token: token, Now: time.Now,
		Log: func(line string) { fmt.Fprintln(c.Err, "collect: refused:", document.Printable(line)) }})
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	defer func() { err = errors.Join(err, to.Close()) }()
	if _, err := fmt.Fprintf(c.Out, "collecting at http://%s into %s\n", listener.Addr(), given.dir); err != nil {
		return errors.Join(err, listener.Close())
	}
	running, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	err = serving.Serve(running, listener, serving.OwnOrigin(to), serving.Limits{})
	fmt.Fprintln(c.Out, "collected", to.Counts())
	if counts := to.Counts(); counts.Requests > 0 {
		fmt.Fprintf(c.Out, "import them: concur import %s --from otlp\n", given.dir)
	}
	return err
}

// maxToken is the maximum length in bytes of the file of a token.
const maxToken = 4096

// token returns the token that senders need; "" without one.
func (o *collectOptions) token(c *console.Console) (string, error) {
	if o.tokenFile == "" {
		return strings.TrimSpace(c.Environ(tokenVariable)), nil
	}
	raw, err := os.ReadFile(o.tokenFile)
	text := strings.TrimSpace(string(raw))
	switch {
	case err != nil:
		return "", console.Usagef("--token-file: %w", err)
	case text == "" || len(text) > maxToken || strings.ContainsAny(text, "\r\n"):
		return "", console.Usagef("--token-file %s: write one line with the token", o.tokenFile)
	}
	return text, nil
}
