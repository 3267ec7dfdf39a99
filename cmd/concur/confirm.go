package main

import (
	"bufio"
	"fmt"
	"os"
	"strings"

	"github.com/urfave/cli/v2"
	"golang.org/x/term"

	"github.com/seed-5817661a/concur/runner/model"
)

const flagYes = "yes"

// What a trace is taken to need before anybody knows: turns, each with a prompt that holds
// instructions, tools and what was found, and a short reply. A guess for a question and an
// order of magnitude, no bound.
const (
	guessedTurns  = 4
	guessedPrompt = 3000
	guessedReply  = 250
)

// estimate is what the missing traces of a plan may cost; known is false without a price.
func (p *runPlan) estimate() (usd float64, tokens int, known bool) {
	turns := min(guessedTurns, p.Configuration.Agent.MaxSteps)
	calls := 0
	for _, q := range p.Dataset.Queries {
		calls += p.missing(q.ID) * turns
	}
	u := model.Usage{InputTokens: calls * guessedPrompt, OutputTokens: calls * guessedReply}
	usd, known = p.models.price(p.Configuration.Model, u)
	return usd, u.InputTokens + u.OutputTokens, known
}

// confirm asks before a run that may cost more than limits.confirm_usd.
func (c *console) confirm(ctx *cli.Context, p *runPlan) error {
	most := p.Configuration.Limits.ConfirmUSD
	usd, tokens, known := p.estimate()
	if p.replay != nil || !known || most == 0 || usd <= most || ctx.Bool(flagYes) {
		return nil
	}
	what := fmt.Sprintf("this run may cost about $%.2f (%d tokens of %s, guessed at %d turns a trace), more than limits.confirm_usd, %.2f", usd, tokens, p.Configuration.Model, guessedTurns, most)
	in, ok := c.in.(*os.File)
	if !ok || !term.IsTerminal(int(in.Fd())) {
		return usagef("%s: add --%s to run it, or set a budget with --budget-usd", what, flagYes)
	}
	fmt.Fprintf(c.err, "concur: %s\nRun it? [y/N] ", what)
	line, err := bufio.NewReader(in).ReadString('\n')
	if answer := strings.ToLower(strings.TrimSpace(line)); err != nil || answer != "y" && answer != "yes" {
		return usagef("not run")
	}
	return nil
}
