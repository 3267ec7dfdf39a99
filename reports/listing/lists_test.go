package listing_test

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/seed-5817661a/concur/reports/document"
	"github.com/seed-5817661a/concur/reports/listing"
	"github.com/seed-5817661a/concur/reports/reporttest"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/store"
)

// The list of runs fits a terminal of 80 columns, and names of runs stay whole.
func TestRunsFitATerminal(t *testing.T) {
	entry := listing.RunEntry{Manifest: store.Manifest{Run: "20261122T204942-gold29-2b95ca7b", State: store.Interrupted, Configurations: []store.Configuration{{Name: "full"}, {Name: strings.Repeat("c", 40)}}}, Bytes: 123456789}
	text := reporttest.Written(t, func(b *bytes.Buffer) error {
		return listing.WriteRuns(b, []listing.RunEntry{entry}, document.Screen{Width: 80})
	})
	for line := range strings.Lines(text) {
		if utf8.RuneCountInString(line) > 81 {
			t.Errorf("too wide: %s", line)
		}
	}
	if !strings.Contains(text, entry.Manifest.Run) {
		t.Errorf("the run's name is cut:\n%s", text)
	}
}

// A folder of fresh traces is counted in the row of its run, and has a row of its own where that is gone.
func TestRunsFoldFreshTraces(t *testing.T) {
	agent := config.New()
	agent.Agent.External.Exec = []string{"python3", "agent.py"}
	of := func(name, freshOf string, c config.Configuration) listing.RunEntry {
		return listing.RunEntry{Bytes: 1000, Manifest: store.Manifest{
			Run: name, FreshOf: freshOf, State: store.Complete, Dataset: store.Dataset{Name: "set", Queries: 2, Source: "set"},
			Configurations: []store.Configuration{{Name: c.Name, Configuration: c}},
		}}
	}
	runs := []listing.RunEntry{
		of("one-fresh-2", "one", config.New()), of("one-fresh", "one", config.New()), of("two-fresh", "two", config.New()),
		of("one", "", config.New()), of("mine", "", agent),
	}
	runs[4].Title = "my-agent"
	text := reporttest.Written(t, func(b *bytes.Buffer) error { return listing.WriteRuns(b, runs, document.Screen{Width: 200}) })
	for _, want := range []string{
		`(?m)^two-fresh .* fresh +offline:reader +set +2 +– +complete +1 kB$`,
		`(?m)^one  .* run +offline:reader +set +2 +– +complete, 2 fresh +3 kB$`,
		`(?m)^mine .* my-agent +run +python3 agent.py +set +2 +– +complete +1 kB$`,
	} {
		if !regexp.MustCompile(want).MatchString(text) {
			t.Errorf("no line %s in\n%s", want, text)
		}
	}
	if strings.Contains(text, "one-fresh") || runs[3].Bytes != 1000 {
		t.Errorf("fresh traces have rows of their own, or the entries were changed:\n%s", text)
	}
	raw := reporttest.Written(t, func(b *bytes.Buffer) error { return listing.WriteRunsJSON(b, runs) })
	for _, want := range []string{`"fresh_of": "one"`, `"name": "my-agent"`, `"command": "python3 agent.py"`, `"title": "my-agent"`} {
		if !strings.Contains(raw, want) {
			t.Errorf("no %s in %s", want, raw)
		}
	}
}

// TestRunsMarkOlderNamesakes: a name that two runs have means the newer one.
func TestRunsMarkOlderNamesakes(t *testing.T) {
	of := func(name, title string) listing.RunEntry {
		return listing.RunEntry{Manifest: store.Manifest{Run: name, Title: title, State: store.Complete}}
	}
	runs := []listing.RunEntry{of("d", "nightly"), of("c", ""), of("b", "nightly"), of("a", "")}
	text := reporttest.Written(t, func(b *bytes.Buffer) error { return listing.WriteRuns(b, runs, document.Screen{Width: 200}) })
	if !regexp.MustCompile(`(?m)^b .* nightly \(older\) `).MatchString(text) || strings.Count(text, "(older)") != 1 {
		t.Errorf("not one run is marked as older:\n%s", text)
	}
}
