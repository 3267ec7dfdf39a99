package main

import (
	"bufio"
	"fmt"
	"os"
	"strings"

	"github.com/urfave/cli/v2"
	"golang.org/x/term"

	"github.com/seed-5817661a/concur/internal/assemble"
)

const flagYes = "yes"

// confirm asks before a run that may cost more than limits.confirm_usd, and refuses one
// that a judge of form alone would decide.
func (c *console) confirm(ctx *cli.Context, s *assemble.Session) error {
	if ctx.Bool(flagYes) {
		return nil
	}
	if err := s.Draft.CheckJudges(); err != nil {
		return err
	}
	most := s.Draft.First().Limits.ConfirmUSD
	f, err := s.Draft.Forecast(nil, s.Price)
	if err != nil || most == 0 || f.Guess.USD == nil || *f.Guess.USD <= most {
		return err
	}
	what := fmt.Sprintf("this run may cost about $%.2f (%d tokens, guessed at %d turns a trace), more than limits.confirm_usd, %.2f", *f.Guess.USD, f.Guess.Tokens, f.Guess.TurnsPerTrace, most)
	return c.ask(what, "Run it?", "add --"+flagYes+" to run it, or set a budget with --budget-usd")
}

// ask asks whether to do something, on a terminal; elsewhere it is an error that says how to
// do it without being asked. So is any answer but yes.
func (c *console) ask(what, question, otherwise string) error {
	in, ok := c.in.(*os.File)
	if !ok || !term.IsTerminal(int(in.Fd())) {
		return usagef("%s: %s", what, otherwise)
	}
	fmt.Fprintf(c.err, "concur: %s\n%s [y/N] ", what, question)
	line, err := bufio.NewReader(in).ReadString('\n')
	if answer := strings.ToLower(strings.TrimSpace(line)); err != nil || answer != "y" && answer != "yes" {
		return usagef("nothing was done")
	}
	return nil
}
