package runner_test

import (
	"errors"
	"testing"

	"github.com/seed-5817661a/concur/model/limit"
	"github.com/seed-5817661a/concur/runner"
)

// The command after a spent budget names a larger budget. It never names 0, which means no budget.
func TestGoOnAfterASpentBudget(t *testing.T) {
	for want, e := range map[string]*limit.SpentError{
		"resume --budget-usd 0.0002":   {Spent: limit.Spend{USD: 0.0001}, Allowed: limit.Spend{USD: 0.0001}},
		"resume --budget-usd 0.0001":   {Spent: limit.Spend{USD: 0.00001}, Allowed: limit.Spend{USD: 0.00001}},
		"resume --budget-usd 4.0466":   {Spent: limit.Spend{USD: 2.0233}, Allowed: limit.Spend{USD: 2}},
		"resume --budget-tokens 11268": {Spent: limit.Spend{Tokens: 5634}, Allowed: limit.Spend{Tokens: 5000}},
	} {
		if got := runner.GoOn("resume", errors.Join(e)); got != want {
			t.Errorf("%+v: %s, want %s", *e, got, want)
		}
	}
}
