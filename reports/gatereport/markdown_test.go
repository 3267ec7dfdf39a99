package gatereport_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/reports/document"
	"github.com/seed-5817661a/concur/reports/gatereport"
)

// TestCommandsInMarkdown: a command within a sentence is one code span, and what belongs to a
// query is nested under it.
func TestCommandsInMarkdown(t *testing.T) {
	g := regressed()
	g.Reasons = append([]string{"2 of 87 traces were lost; run them again with `concur run --resume runs/r-1 --retry-failed`, then ask again"}, g.Reasons...)
	var b bytes.Buffer
	if err := gatereport.Write(&b, document.FormatMarkdown, g, document.Screen{}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"run them again with `concur run --resume runs/r-1 --retry-failed`, then ask again", "\n  - `Nile` ×15 → "} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q is missing in\n%s", want, b.String())
		}
	}
}
