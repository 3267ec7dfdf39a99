package score

import (
	"context"
	"fmt"
	"strings"

	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/model/asking"
	"github.com/seed-5817661a/concur/runner/extract"
	"github.com/seed-5817661a/concur/trace"
)

// Unread counts answers that are not values of the type, or messages in which no answer of the type was found.
type Unread struct {
	Answers int    `json:"answers"`
	Of      int    `json:"of"`      // answers that are not null or blank
	Example string `json:"example"` // the first unread answer, cut; "" if all were read
	Line    int    `json:"line"`    // line of the example; 0 if all were read
}

// mostUnread is the share of unread answers above which the type is probably wrong.
const mostUnread = 0.1

// add adds the counts of other lines. It keeps the example of the first line.
func (u *Unread) add(v Unread) {
	u.Answers += v.Answers
	u.Of += v.Of
	if v.Line > 0 && (u.Line == 0 || v.Line < u.Line) {
		u.Example, u.Line = v.Example, v.Line
	}
}

// readMessages replaces each answer of a line, a final message, with the short answer in it, as a run does.
// Blank messages, and messages without an answer, become null.
func (o Options) readMessages(ctx context.Context, l *line) (asking.Effort, error) {
	var spent asking.Effort
	if !o.Messages {
		return spent, nil
	}
	for i := range l.answers {
		a := &l.answers[i]
		if a.null {
			continue
		}
		_, said := model.Message{Content: a.text}.Speech() // without the model's thoughts, which are not part of the message
		final := answer.Extract(said, l.query, o.Type)
		t := trace.Trace{Outcome: final.Outcome, Answer: final.Short, Message: said,
			Extract: string(final.Extract)}
		if final.Outcome == trace.NoAnswer {
			t.StopReason = trace.EmptyAnswer
		}
		if o.Extractor != nil && extract.Unread(t, o.Type, answer.Options{}) {
			reading, err := o.Extractor.Read(ctx, extract.Question{ID: l.id, Text: l.query, Type: o.Type}, said)
			if err != nil {
				return spent, err
			}
			spent = spent.Add(reading.Effort)
			if reading.Answer != "" {
				t.Outcome, t.Answer = trace.Answered, reading.Answer
			}
		}
		a.message, a.text, a.outcome = a.text, t.Answer, t.Outcome
		a.null = t.Outcome == trace.NoAnswer
	}
	return spent, nil
}

// unread counts the answers of a line that are not a value of the type.
func (o Options) unread(l line, ballots []consensus.Ballot) (out Unread) {
	for i, a := range l.answers {
		shown := a.text
		if a.message != "" {
			shown = a.message
		}
		if shown == "" {
			continue
		}
		out.Of++
		if !o.isUnread(a, ballots[i], l.golds) {
			continue
		}
		out.Answers++
		if out.Line == 0 {
			out.Example, out.Line = text.Clip(strings.Join(strings.Fields(shown), " "), 80), l.number
		}
	}
	return out
}

// isUnread reports whether an answer is not a value of the type. Without a type, it reports whether a text
// contains a gold among other words: such a text is a whole message, which never equals a gold.
func (o Options) isUnread(a given, b consensus.Ballot, golds []string) bool {
	if a.outcome != "" && a.outcome != trace.Answered {
		return a.null
	}
	if o.Norm == NormTyped {
		return b.Unparsed()
	}
	for _, gold := range golds {
		if len(a.text) > len(gold)+wordsAround && strings.Contains(a.text, gold) &&
			answer.ContainsTokens(a.text, gold) {
			return true
		}
	}
	return false
}

// wordsAround is the number of bytes by which a text must be longer than the gold in it, to be more than a
// short answer.
const wordsAround = 20

// warning describes the unread answers; "" if they are at most a tenth of all.
func (u Unread) warning(o Options) string {
	if float64(u.Answers) <= mostUnread*float64(u.Of) {
		return ""
	}
	of := func(what string) string { return fmt.Sprintf("%d of %s", u.Answers, text.Counted(u.Of, what)) }
	example := fmt.Sprintf("such as %s (line %d)", text.Quote(u.Example), u.Line)
	switch {
	case o.Messages && o.Extractor != nil:
		return fmt.Sprintf("%s without a readable answer, %s: try another --type", of("message"), example)
	case o.Messages:
		return fmt.Sprintf("%s without a readable answer, %s: try another --type, or --extractor "+
			"PROVIDER:MODEL", of("message"), example)
	case o.Norm == NormTyped:
		return fmt.Sprintf("%s are not a value of the type %s, %s, and count as wrong: add --messages to "+
			"read whole messages, and --extractor PROVIDER:MODEL to read them by a model", of("answer"), o.Type, example)
	}
	return fmt.Sprintf("%s contain the gold among other words, %s, and count as wrong; add --type TYPE "+
		"--messages to read whole messages as a run does", of("answer"), example)
}
