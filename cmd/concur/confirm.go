package main

import (
	"bufio"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
	"golang.org/x/term"

	"github.com/seed-5817661a/concur/runner/config"
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

// guess is what the traces that are still to be run may take, by the agent alone: a
// verifier and judges come on top.
type guess struct {
	tokens int
	// usd is nil without a price for any of the models; unpriced are those without one that
	// cost something.
	usd      *float64
	unpriced []string
}

// estimate guesses from price tables and counts, without opening anything but the prices.
func (p *runPlan) estimate() (guess, error) {
	prices, err := p.assembler.Prices(p.first())
	if err != nil {
		return guess{}, err
	}
	missing := make([]int, len(p.Arms))
	for _, q := range p.Dataset.Queries {
		for i, n := range p.Missing(p.prior, q.ID) {
			missing[i] += n
		}
	}
	var g guess
	for i, a := range p.Arms {
		if missing[i] == 0 {
			continue
		}
		spec := a.Configuration.Model
		calls := missing[i] * turnsOf(a.Configuration)
		u := model.Usage{InputTokens: calls * guessedPrompt, OutputTokens: calls * guessedReply}
		g.tokens += u.InputTokens + u.OutputTokens
		cost, priced := prices.Price(spec, u)
		switch {
		case priced && g.usd == nil:
			g.usd = &cost
		case priced:
			*g.usd += cost
		case !config.IsOffline(spec) && !slices.Contains(g.unpriced, spec):
			g.unpriced = append(g.unpriced, spec)
		}
	}
	return g, nil
}

// turnsOf are the turns that a trace is taken to have: a strategy without a bound on them
// takes one.
func turnsOf(c config.Configuration) int {
	return max(1, min(guessedTurns, c.Effective().Agent.MaxSteps))
}

// refuseFormOnly is an error where an offline quality judge decides what passes: it sees
// the form of an answer and not whether it is right.
func refuseFormOnly(p *runPlan) error {
	for _, a := range p.Arms {
		c := a.Configuration.Completed()
		spec := c.Judge.Quality
		if spec == config.SameModel {
			spec = c.Model
		}
		if (c.Pass == config.PassQuality || c.Pass == config.PassBoth) && config.IsOffline(spec) {
			return usagef("pass: %s with the quality judge %s: it grades form only, so wrong answers pass: name a language model as judge.quality, take --pass gold or correctness, or add --%s to run it all the same", c.Pass, spec, flagYes)
		}
	}
	return nil
}

// confirm asks before a run that may cost more than limits.confirm_usd, and refuses one
// that a judge of form alone would decide.
func (c *console) confirm(ctx *cli.Context, p *runPlan) error {
	if p.replay == nil && !ctx.Bool(flagYes) {
		if err := refuseFormOnly(p); err != nil {
			return err
		}
	}
	most := p.first().Limits.ConfirmUSD
	if p.replay != nil || most == 0 || ctx.Bool(flagYes) {
		return nil
	}
	g, err := p.estimate()
	if err != nil {
		return usagef("%w", err)
	}
	if g.usd == nil || *g.usd <= most {
		return nil
	}
	what := fmt.Sprintf("this run may cost about $%.2f (%d tokens, guessed at %d turns a trace), more than limits.confirm_usd, %.2f", *g.usd, g.tokens, guessedTurns, most)
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
