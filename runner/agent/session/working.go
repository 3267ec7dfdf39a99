package session

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/internal/rank"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/model/asking"
	"github.com/seed-5817661a/concur/trace"
)

// Working is the working memory of a long conversation: one sentence per tool call. The best sentences replace
// earlier observations. The zero value is off.
type Working struct {
	K      int // maximum number of summaries that are shown
	Tokens int // size of the conversation at which they are used; a token is counted as four bytes
}

// SummaryVersion changes with the request for a summary and with how summaries are shown; it is
// part of the hash of an agent that has them.
const SummaryVersion = "summary/v1"

// taskSummary is the task of the side request.
const taskSummary = "summary"

// Bounds of the data of a summary and of the sentence, in bytes.
const (
	maxSummed  = 8 << 10
	maxSummary = 600
)

// note is an observation of the conversation.
type note struct {
	call    model.ToolCall
	shown   string
	at      int    // index of its message
	summary string // "" until it is written
}

// summarise requests a sentence on each new observation, or else uses the beginning of the result.
func (s *Session) summarise(ctx context.Context) error {
	for i := range s.notes {
		n := &s.notes[i]
		if s.agent.Working.K == 0 || n.summary != "" {
			continue
		}
		text, unread, err := Ask(ctx, s, Aside{
			Task:   fmt.Sprintf("%s#%d", taskSummary, i+1),
			Schema: TextSchema(taskSummary, taskSummary),
			Messages: asking.Messages(prompt("summary"), s.task.Seed, asking.Data("question", s.Question(), maxSummed),
				asking.Data("call", n.call.Name+" "+n.call.Arguments, maxSummed),
				asking.Data("result", n.shown, maxSummed)),
		}, readText(taskSummary, math.MaxInt))
		if err != nil {
			return err
		}
		if text == nil {
			s.Guard(taskSummary, "fallback", n.call.ID+": the beginning of the result stands for its summary: "+
				unread.Error())
			text = &n.shown
		}
		n.summary = asking.Cut(strings.Join(strings.Fields(*text), " "), maxSummary)
		s.Emit(trace.Reflection{Task: taskSummary, Content: n.summary})
	}
	return nil
}

// shortened returns the conversation as it is sent: complete up to the budget. Beyond the budget, the best
// summaries replace the observations before the last turn.
func (s *Session) shortened() []model.Message {
	last := len(s.messages)
	size := 0
	for i, m := range s.messages {
		size += len(m.Content)
		for _, c := range m.ToolCalls {
			size += len(c.Arguments)
		}
		if m.Role == model.Assistant {
			last = i
		}
	}
	if s.agent.Working.K == 0 || size/4 <= s.agent.Working.Tokens {
		return s.messages
	}
	old := slices.DeleteFunc(slices.Clone(s.notes), func(n note) bool { return n.at > last || n.summary == "" })
	texts := make([]string, len(old))
	for i, n := range old {
		texts[i] = n.summary
	}
	out := slices.Clone(s.messages)
	for _, n := range old {
		out[n.at].Content = s.protocol.observation(n.call.ID, prompt("summary_none")).Content
	}
	for _, hit := range rank.NewIndex(texts).Search(s.Question(), s.agent.Working.K, nil) {
		n := old[hit.Document]
		out[n.at].Content = s.protocol.observation(n.call.ID,
			fmt.Sprintf(prompt("summary_shown"), s.marks.Mark(n.summary))).Content
	}
	return out
}

// CondenseVersion changes with the request that rewrites a question; it is part of agent hashes.
const CondenseVersion = "condense/v1"

// taskCondense is the task of the side request.
const taskCondense = "condensation"

// Bounds of the data of the request and of its reply, in bytes.
const (
	maxConversation = 32 << 10
	maxAsked        = 8 << 10
)

// condense asks the model to rewrite the question so that it can be understood alone, if the configuration
// requires it. If the reply cannot be read, the question stays as it is, and an event records it.
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
	}, readText("question", maxAsked))
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

// recent returns the last messages that fit, oldest first.
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

// dates returns the days around today in words.
func dates(today time.Time) string {
	const form = "Monday, 2006-01-02"
	return fmt.Sprintf("yesterday: %s\ntoday: %s\ntomorrow: %s", today.AddDate(0, 0, -1).Format(form),
		today.Format(form), today.AddDate(0, 0, 1).Format(form))
}
