package session

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/model/asking"
	"github.com/seed-5817661a/concur/trace"
)

// CondenseVersion changes with the request that rewrites a question; it is part of agent hashes.
const CondenseVersion = "condense/v1"

// taskCondense is the task of the side request.
const taskCondense = "condensation"

// These constants limit the data in the request and the reply, in bytes.
const (
	maxConversation = 32 << 10
	maxAsked        = 8 << 10
)

// condense asks the model to rewrite the question so that it can be understood alone, if the configuration
// requires this. If the reply cannot be read, the question does not change, and an event has the reason.
func (s *Session) condense(ctx context.Context) error {
	q := s.task.Query
	if !s.agent.Config.Condenses(len(q.History)) {
		return nil
	}
	data := []asking.Block{asking.Data("conversation", recent(q.History), maxConversation),
		asking.Data("question", q.Text, maxAsked)}
	if today, dated := q.Today(); dated {
		data = append(data, asking.Data("dates", dates(today), maxAsked))
	}
	text, unread, err := Ask(ctx, s, Aside{
		Task: taskCondense, Messages: asking.Messages(prompt("condense"), s.task.Seed, data...),
		Schema: TextSchema(taskCondense, "question"),
	}, ReadText("question", maxAsked))
	switch {
	case err != nil:
		return err
	case text == nil:
		s.Guard("condense", "fallback", "the question could not be rewritten, and the conversation is passed on: "+
			unread.Error())
		return nil
	}
	s.result.Question = *text
	s.Emit(trace.Reflection{Task: taskCondense, Content: *text})
	return nil
}

// recent returns the last messages that fit into the limit, oldest first.
func recent(history []datasets.Turn) string {
	var text string
	for _, turn := range slices.Backward(history) {
		line := turn.Role + ": " + strings.ReplaceAll(turn.Content, "\n", " ")
		if text != "" && len(text)+len(line) > maxConversation {
			break
		}
		text = line + "\n" + text
	}
	return text
}

// dates describes yesterday, today and tomorrow.
func dates(today time.Time) string {
	const form = "Monday, 2006-01-02"
	return fmt.Sprintf("yesterday: %s\ntoday: %s\ntomorrow: %s", today.AddDate(0, 0, -1).Format(form),
		today.Format(form), today.AddDate(0, 0, 1).Format(form))
}
