package gatereport_test

import (
	"bytes"
	"testing"

	"pgregory.net/rapid"

	"github.com/seed-5817661a/concur/ablations/gate"
	"github.com/seed-5817661a/concur/reports/document"
	"github.com/seed-5817661a/concur/reports/gatereport"
	"github.com/seed-5817661a/concur/reports/reporttest"
)

// A CI system that reads the XML comes to what the exit code says.
func TestGateJUnitAgreesWithTheDecision(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := attackedGate(t)
		s := reporttest.ReadJUnit(t, reporttest.Written(t, func(b *bytes.Buffer) error { return gatereport.Write(b, document.FormatJUnit, g, document.Screen{}) }))
		fails := g.Decision == gate.Regression || g.Decision == gate.Drift
		if (s.Failures > 0) != fails || (s.Failures+s.Errors > 0) != (g.Decision != gate.Pass) {
			t.Fatalf("%s has %d failures and %d errors", g.Decision, s.Failures, s.Errors)
		}
	})
}

func TestGateJUnit(t *testing.T) {
	for name, want := range map[string]reporttest.Counted{
		"pass":        {Tests: 30, Skipped: 1},
		"regression":  {Tests: 30, Failures: 4, Skipped: 1},
		"bootstrap":   {Tests: 30, Errors: 1, Skipped: 1},
		"unconfirmed": {Tests: 30, Errors: 3, Skipped: 1},
		"hostile":     {Tests: 30, Failures: 4, Skipped: 1},
		"losses":      {Tests: 30, Failures: 3, Skipped: 1},
		"drift":       {Tests: 30, Failures: 4, Skipped: 1},
	} {
		s := reporttest.ReadJUnit(t, gateWritten(t, document.FormatJUnit, gates()[name]))
		if want.Time = s.Time; s.Counted != want {
			t.Errorf("%s: %+v, want %+v", name, s.Counted, want)
		}
	}
}
