package reports_test

import (
	"bytes"
	"testing"

	"github.com/seed-5817661a/concur/reports/reporttest"
)

// Names that many tests of this package use.
const (
	evil     = reporttest.Evil
	hostile  = reporttest.Hostile
	steering = reporttest.Steering
)

var (
	attack = reporttest.Attack
	record = reporttest.Record
)

// written returns the text of a report.
func written(t *testing.T, write func(*bytes.Buffer) error) string {
	t.Helper()
	return reporttest.Written(t, write)
}
