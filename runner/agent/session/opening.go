package session

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/guard/inject"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/tool"
	"github.com/seed-5817661a/concur/trace"
)

// Source adds text for the model before its first turn, such as memories, under every strategy.
type Source interface {
	// Prepare is called once per trace, when the question is known. It may make side requests (Ask). An error
	// ends the trace (Fail).
	Prepare(ctx context.Context, s *Session) (Prepared, error)
}

// Prepared is the result of a Source. Empty parts are left out.
type Prepared struct {
	Name   string // name of the source, and of its observation in the trace
	System string // added to the system prompt
	User   string // a message after the question
	// Documents are added to the ledger in this order, and follow User. They are scanned, sanitised and marked
	// like the results of a tool.
	Documents []trace.Document
	// Audited requires the audit of citations even if no tool returns documents; the prompt asks for
	// citations.
	Audited bool
	// Advised lists bullets of a playbook that System or User shows, and AdviceTokens is their size; nil for
	// another source.
	Advised      []Advised
	AdviceTokens int
}

// questions returns the user's texts in a query: the present one and the earlier ones.
func questions(q datasets.Query) []string {
	out := []string{q.Text}
	for _, turn := range q.History {
		if turn.Role == datasets.UserRole {
			out = append(out, turn.Content)
		}
	}
	return out
}

// refused reports a known attack in the user's texts.
func (s *Session) refused(texts ...string) bool {
	if !s.agent.Config.HasGuard(config.GuardInjection) {
		return false
	}
	for _, text := range texts {
		if f := s.agent.Scans.Scan(text, inject.Query); f.Flagged {
			s.Guard(config.GuardInjection, "refuse", describe(f))
			return true
		}
	}
	return false
}

// open appends conversation, question and the results of the sources to the system prompt.
func (s *Session) open(ctx context.Context) error {
	q := s.task.Query
	if today, dated := q.Today(); dated {
		s.Instruct(fmt.Sprintf(prompt("today"), today.Format("Monday, 2 January 2006")))
	}
	if len(q.History) > 0 && s.result.Question == "" {
		s.Instruct(fmt.Sprintf(prompt("history"), len(q.History)))
		for _, turn := range q.History {
			s.messages = append(s.messages, model.Message{Role: model.Role(turn.Role), Content: turn.Content})
		}
	}
	s.Say(cmp.Or(s.result.Question, q.Text))
	for _, source := range s.agent.Sources {
		p, err := source.Prepare(ctx, s)
		if err != nil {
			return err
		}
		s.give(p)
	}
	return nil
}

// Instruct adds a part to the system prompt.
func (s *Session) Instruct(part string) { s.messages[0].Content += "\n\n" + part }

// give adds the result of a source to the model's messages.
func (s *Session) give(p Prepared) {
	if p.System != "" {
		s.Instruct(p.System)
	}
	s.advise(p)
	parts := []string{p.User}
	if len(p.Documents) > 0 {
		parts = append(parts, s.show(tool.Result{
			Call: model.ToolCall{ID: p.Name, Name: p.Name}, Output: tool.Output{Documents: p.Documents},
		}))
		s.evidenceFound = s.evidenceFound || p.Audited
	}
	if text := strings.TrimSpace(strings.Join(parts, "\n\n")); text != "" {
		s.inform(text)
	}
}

// inform sends the model a text in the form of external data.
func (s *Session) inform(text string) {
	if s.protocol.text {
		text = "Observation: " + text
	}
	s.Say(text)
}

// Question returns the question as data for a side request: rewritten, or with the earlier conversation.
func (s *Session) Question() string { return cmp.Or(s.result.Question, s.task.Query.Wordings("")) }

// Advised is a bullet of a playbook that the model was shown.
type Advised struct {
	ID    string
	Tools []string // the advised sequence of calls; may be empty
}

// advise records the bullets that a source shows.
func (s *Session) advise(p Prepared) {
	if p.Advised == nil {
		return
	}
	s.advised = append(s.advised, p.Advised...)
	if s.result.Playbook == nil {
		s.result.Playbook = &trace.Advice{Shown: []string{}, Named: []string{}, Followed: []string{}}
	}
	for _, b := range p.Advised {
		s.result.Playbook.Shown = append(s.result.Playbook.Shown, b.ID)
	}
	s.result.Playbook.Tokens += p.AdviceTokens
}

// countAdvice records the shown bullets that the model named in its replies, and those whose sequence of tools
// its calls contain, with or without other calls between them.
func (s *Session) countAdvice() {
	use := s.result.Playbook
	if use == nil {
		return
	}
	for _, b := range s.advised {
		if slices.ContainsFunc(s.messages, func(m model.Message) bool {
			return m.Role == model.Assistant && strings.Contains(m.Content, "["+b.ID+"]")
		}) {
			use.Named = append(use.Named, b.ID)
		}
		rest := b.Tools
		for _, name := range s.called {
			if len(rest) > 0 && rest[0] == name {
				rest = rest[1:]
			}
		}
		if len(b.Tools) > 0 && len(rest) == 0 {
			use.Followed = append(use.Followed, b.ID)
		}
	}
}
