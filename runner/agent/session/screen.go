package session

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/guard/inject"
	"github.com/seed-5817661a/concur/runner/agent/limit"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/tool"
	"github.com/seed-5817661a/concur/trace"
)

// screen returns the text of an observation for the model. A tool's text is scanned for attacks, sanitised, cut
// to size and marked as data (docs/method.md §9.3). Marking comes last, because a cut would destroy the marks.
// The harness's own text is only cut.
func (s *Session) screen(r tool.Result, o trace.Observation, text string) string {
	foreign := limit.ToolSpoke(r)
	documents := o.Documents
	if foreign {
		s.flag(r.Call.ID, text)
		text, documents = s.sanitise(r.Call.ID, text, documents)
	}
	shown, cut := limit.Output(text, s.agent.Config.MaxOutput)
	if cut {
		s.Guard("output_cap", "cut", fmt.Sprintf("%s: %d bytes", r.Call.ID, len(text)))
		documents = slices.DeleteFunc(slices.Clone(documents), func(d trace.Document) bool {
			return !strings.Contains(shown, fmt.Sprintf(`"id":%q`, d.ID)) // its beginning is cut off too
		})
	}
	s.keep(r, documents)
	if foreign {
		shown = s.marks.Mark(shown)
	}
	return shown
}

// flag records a suspected attack. It does not block the text, because a page may quote an attack.
func (s *Session) flag(callID, text string) {
	if !s.agent.Config.HasGuard(config.GuardInjection) {
		return
	}
	if f := s.agent.Scans.Scan(text, inject.ToolOutput); f.Flagged {
		s.Guard(config.GuardInjection, "flag", callID+": "+describe(f))
	}
}

// sanitise cleans an observation and its documents in the same way, because an answer is
// audited against the text that was shown.
func (s *Session) sanitise(callID, text string, documents []trace.Document) (string, []trace.Document) {
	if !s.agent.Config.HasGuard(config.GuardSanitise) {
		return text, documents
	}
	clean, changes, err := inject.SanitiseJSON(json.RawMessage(text))
	if err != nil { // errors are plain text
		var plain string
		plain, changes = inject.Sanitise(text)
		clean = json.RawMessage(plain)
	}
	if len(changes) == 0 {
		return text, documents
	}
	s.Guard(config.GuardSanitise, "change", callID+": "+summary(changes))
	for _, c := range changes {
		if len(c.Removed) > 0 {
			s.Guard(config.GuardSanitise, "remove", callID+": "+strings.Join(c.Removed, "\n"))
		}
	}
	documents = slices.Clone(documents)
	for i := range documents {
		d := &documents[i]
		d.Title, _ = inject.Sanitise(d.Title)
		d.Snippet, _ = inject.Sanitise(d.Snippet)
		d.Source, _ = inject.Sanitise(d.Source)
	}
	return string(clean), documents
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
