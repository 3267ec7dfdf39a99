package session

import (
	"cmp"
	"fmt"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/guard/inject"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/config"
)

// questions returns the user's texts in a query: the present question and the earlier ones.
func questions(q datasets.Query) []string {
	out := []string{q.Text}
	for _, turn := range q.History {
		if turn.Role == datasets.UserRole {
			out = append(out, turn.Content)
		}
	}
	return out
}

// columns returns the texts of the query's columns that prompts show.
func (s *Session) columns() (out []string) {
	for _, column := range s.agent.Config.Prompts.Columns() {
		out = append(out, s.task.Query.Meta[column.Name])
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

// open appends the conversation, the question and the features' texts to the system prompt.
func (s *Session) open() {
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
	question := cmp.Or(s.result.Question, q.Text)
	if own := s.agent.Config.Prompts.User; !own.IsZero() {
		question = s.Fill(own)
	}
	s.Say(question)
	for _, p := range s.parts {
		s.give(p)
	}
}
