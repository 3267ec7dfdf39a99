package session

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/guard/cite"
	"github.com/seed-5817661a/concur/guard/inject"
	"github.com/seed-5817661a/concur/runner/agent/limit"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/tool"
	"github.com/seed-5817661a/concur/trace"
)

// evidence has the documents that tools and features returned, with their ids, as the model sees them. It
// audits answers by these documents.
type evidence struct {
	*progress
	ledger    *trace.Ledger
	documents []trace.Document // as shown to the model
	marks     inject.Spotlight // the zero value marks nothing

	evidenceCalls, evidenceFailures int
	evidenceFound                   bool // an evidence tool returned documents
	// the error of the last call to an evidence tool, if its backend failed; else ""
	lastFailure string
}

// Mark marks a text as data, in the same way as results of tools.
func (s *evidence) Mark(text string) string { return s.marks.Mark(text) }

// show adds a result's documents to the ledger, records the observation, and returns its text for the model.
func (s *evidence) show(r tool.Result) string {
	o := trace.Observation{CallID: r.Call.ID, DurationMS: float64(r.Duration.Microseconds()) / 1e3}
	text := r.Error
	if r.Error == "" {
		if r.Output.Documents != nil {
			o.Documents = s.ledger.Enter(r.Output.Documents)
		}
		o.Output, _ = r.Output.Render(o.Documents) // Invoke has already rendered it without an error
		text = string(o.Output)
	} else {
		o.Error, o.ErrorKind = &text, &r.Kind
	}
	s.Emit(o)
	return s.screen(r, o, text)
}

// screen returns the text of an observation in the form that the model sees. A text that comes from a tool is
// scanned for attacks, sanitised, cut to size and marked as data (docs/method.md §9.3). It is marked last,
// because cutting would destroy the marks. A text of concur itself is only cut.
func (s *evidence) screen(r tool.Result, o trace.Observation, text string) string {
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
			return !strings.Contains(shown, fmt.Sprintf(`"id":%q`, d.ID)) // the cut may also remove the beginning of a document
		})
	}
	s.keep(r, documents)
	if foreign {
		shown = s.marks.Mark(shown)
	}
	return shown
}

// flag records a suspected attack. It does not block the text, because a page may quote an attack.
func (s *evidence) flag(callID, text string) {
	if !s.agent.Config.HasGuard(config.GuardInjection) {
		return
	}
	if f := s.agent.Scans.Scan(text, inject.ToolOutput); f.Flagged {
		s.Guard(config.GuardInjection, "flag", callID+": "+describe(f))
	}
}

// sanitise cleans an observation and its documents in the same way. Both are necessary, because an answer is
// audited against the text that the model saw.
func (s *evidence) sanitise(callID, text string, documents []trace.Document) (string, []trace.Document) {
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

// keep stores the documents of a call, in the form that the model saw, or its calculation. The audit of an
// answer needs them.
func (s *evidence) keep(r tool.Result, shown []trace.Document) {
	s.documents = append(s.documents, shown...)
	if r.Call.Name != calcTool || r.Failure != tool.NoFailure {
		return
	}
	var in struct{ Expression string }
	value, ok := r.Output.Object["value"].(string)
	if ok && json.Unmarshal([]byte(r.Call.Arguments), &in) == nil {
		s.ledger.Calculated(trace.Calculation{Expression: in.Expression, Result: value})
	}
}

// countEvidence counts a call of an evidence tool. The counts distinguish a backend that fails from an agent
// that found nothing. Blocked calls are not counted, because they did not reach a backend.
func (s *evidence) countEvidence(r tool.Result) {
	s.evidenceCalls++
	s.evidenceFound = s.evidenceFound || len(r.Output.Documents) > 0
	s.lastFailure = ""
	if r.Failure == tool.BackendFailure {
		s.lastFailure = strings.TrimPrefix(r.Error, "ERROR: ")
		s.evidenceFailures++
	}
}

// audit compares an answer with the evidence of its trace (docs/method.md §8). audited is false if no evidence
// tool returned documents; documents of other tools need not be cited. An answer that denies a false premise
// needs no citation, because there is no document about a thing that does not exist. If it has citations, they
// are audited.
func (s *evidence) audit(message, short string) (report cite.Report, audited bool) {
	if !s.agent.Config.HasGuard(config.GuardCitation) || !s.evidenceFound || len(s.documents) == 0 {
		return cite.Report{}, false
	}
	if len(cite.Cited(message)) == 0 && s.task.Query.Gold.Denied(short) {
		return cite.Report{}, false
	}
	report = cite.Audit(cite.Input{
		Message: message, Answer: short, Documents: s.documents, Calcs: s.ledger.Calculations(),
		Query:    s.task.Query.Wordings(s.result.Question),
		MinScore: s.agent.Config.Citations.MinScore, RejectBelow: s.agent.Config.Citations.Rejects(),
	})
	s.Emit(report.Audit)
	s.result.Grounded, s.result.Grounding = &report.Grounded, report.Grounding()
	return report, true
}

// cited names the evidence documents that a message cites, without repeats.
func (s *evidence) cited(message string) []string {
	var out []string
	for _, id := range cite.Cited(message) {
		if d, known := s.ledger.Lookup(id); known {
			out = append(out, d.Backend+":"+d.Ref)
		}
	}
	return out
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
