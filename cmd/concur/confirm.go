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

// estimate is what the missing traces of a plan may cost; known is false without a price
// for any of its models.
func (p *runPlan) estimate() (usd float64, tokens int, known bool) {
	missing := make([]int, len(p.Arms))
	for _, q := range p.Dataset.Queries {
		for i, n := range p.Missing(p.prior, q.ID) {
			missing[i] += n
		}
	}
	for i, a := range p.Arms {
		calls := missing[i] * min(guessedTurns, a.Configuration.Agent.MaxSteps)
		u := model.Usage{InputTokens: calls * guessedPrompt, OutputTokens: calls * guessedReply}
		cost, priced := p.models.price(a.Configuration.Model, u)
		usd, known = usd+cost, known || priced
		tokens += u.InputTokens + u.OutputTokens
	}
	return usd, tokens, known
}

// confirm asks before a run that may cost more than limits.confirm_usd.
func (c *console) confirm(ctx *cli.Context, p *runPlan) error {
	most := p.first().Limits.ConfirmUSD
	usd, tokens, known := p.estimate()
	if p.replay != nil || !known || most == 0 || usd <= most || ctx.Bool(flagYes) {
		return nil
	}
	what := fmt.Sprintf("this run may cost about $%.2f (%d tokens, guessed at %d turns a trace), more than limits.confirm_usd, %.2f", usd, tokens, guessedTurns, most)
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
