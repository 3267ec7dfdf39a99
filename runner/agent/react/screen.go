package react

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/guard/inject"
	"github.com/seed-5817661a/concur/runner/guard/limit"
	"github.com/seed-5817661a/concur/runner/tool"
	"github.com/seed-5817661a/concur/runner/trace"
)

// screen gives what the model sees of an observation's text. The words of a tool are
// looked at for attacks, defused, cut to size and marked as data (methods.md §9.3): the
// marks come last, since cut marks would mark nothing. Our own words are only cut.
func (s *session) screen(r tool.Result, o trace.Observation, text string) string {
	foreign := limit.ToolSpoke(r)
	documents := o.Documents
	if foreign {
		s.flag(r.Call.ID, text)
		text, documents = s.sanitise(r.Call.ID, text, documents)
	}
	shown, cut := limit.Output(text, s.agent.Config.MaxOutput)
	if cut {
		s.guard("output_cap", "cut", fmt.Sprintf("%s: %d bytes", r.Call.ID, len(text)))
		documents = slices.DeleteFunc(slices.Clone(documents), func(d trace.Document) bool { return !shows(shown, d) })
	}
	s.grounds.add(r, documents)
	if foreign {
		shown = s.marks.Mark(shown)
	}
	return shown
}

// flag records what looks like an attack. It stops nothing: a page may quote one.
func (s *session) flag(callID, text string) {
	if !s.agent.Config.HasGuard(config.GuardInjection) {
		return
	}
	if f := inject.Scan(text, inject.ToolOutput); f.Flagged {
		s.guard(config.GuardInjection, "flag", callID+": "+describe(f))
	}
}

// sanitise defuses an observation, and its documents in the same way: an answer is
// audited against what was shown.
func (s *session) sanitise(callID, text string, documents []trace.Document) (string, []trace.Document) {
	if !s.agent.Config.HasGuard(config.GuardSanitise) {
		return text, documents
	}
	clean, changes := sanitised(text)
	if len(changes) == 0 {
		return text, documents
	}
	s.guard(config.GuardSanitise, "change", callID+": "+summary(changes))
	for _, c := range changes {
		if len(c.Removed) > 0 {
			s.guard(config.GuardSanitise, "remove", callID+": "+strings.Join(c.Removed, "\n"))
		}
	}
	documents = slices.Clone(documents)
	for i := range documents {
		d := &documents[i]
		d.Title, _ = inject.Sanitise(d.Title)
		d.Snippet, _ = inject.Sanitise(d.Snippet)
		d.Source, _ = inject.Sanitise(d.Source)
	}
	return clean, documents
}

// sanitised keeps JSON readable as JSON; errors are plain text.
func sanitised(text string) (string, []inject.Change) {
	if clean, changes, err := inject.SanitiseJSON(json.RawMessage(text)); err == nil {
		return string(clean), changes
	}
	return inject.Sanitise(text)
}

func summary(changes []inject.Change) string {
	parts := make([]string, len(changes))
	for i, c := range changes {
		parts[i] = fmt.Sprintf("%d %s (%q)", c.Count, c.Kind, c.First)
	}
	return strings.Join(parts, "; ")
}

func describe(f inject.Finding) string {
	hits := make([]string, len(f.Hits))
	for i, h := range f.Hits {
		hits[i] = fmt.Sprintf("%s (%s): %q", h.Family, h.View, h.Match)
	}
	return fmt.Sprintf("score %.2f, severity %s: %s", f.Score, f.Severity, strings.Join(hits, "; "))
}

// shows reports whether a cut output still has a document's beginning.
func shows(shown string, d trace.Document) bool {
	return strings.Contains(shown, fmt.Sprintf(`"id":%q`, d.ID))
}
