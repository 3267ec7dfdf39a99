package imports

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/seed-5817661a/concur/datasets"
)

// chat is a conversation in the form of OpenAI's chat messages, or a query with its trace array, and
// beside them, as far as they are known, the id of the query, category, gold, model.
type chat struct {
	ID, Category, Model, Configuration string
	Gold                               scalar
	Messages                           []message
	Query                              string
	Trace                              []reportedEvent
}

// origin is where a query was first asked.
type origin struct {
	line  int
	query datasets.Query
}

// readChats reads conversations, one JSON object a line: {"messages": […]} or {"query": "…", "trace": [{"step": 0,
// "event": "action", …}, …]}. What the user and the assistant said before the last question is its history. Lines
// with the same id, or without one the same messages up to that question, are repeats of one query. There are no
// verdicts in them: the gold decides, of the line or of a dataset.
func readChats(r io.Reader, _ string) (*Log, error) {
	l := &Log{Tool: "chats", Name: "chats"}
	ungraded, unknown := 0, 0
	first := map[string]origin{} // by id
	err := eachLine(r, func(number int, c chat) error {
		q := datasets.Query{ID: c.ID, Category: c.Category, Text: c.Query, Gold: datasets.Gold{Answer: string(c.Gold)}}
		if c.Messages, q.History = split(c.Messages); len(c.Messages) > 0 {
			q.Text = cmp.Or(q.Text, textOf(c.Messages[0].Content))
		}
		if q.Text == "" {
			return errors.New("it has no message of the user: each line needs messages, or query and trace")
		}
		for _, turn := range q.History {
			q.ID += turn.Content + " "
		}
		if q.ID = cmp.Or(c.ID, q.ID+q.Text); q.Gold.Answer == "" {
			ungraded++
		}
		was, again := first[q.ID]
		switch {
		case !again:
			first[q.ID] = origin{number, q}
		case was.query.Text != q.Text, !slices.Equal(was.query.History, q.History):
			return fmt.Errorf("it asks another question than line %d under the id %q: give each question an id of its own", was.line, q.ID)
		case was.query.Gold.Answer != q.Gold.Answer:
			return fmt.Errorf("it has the gold %q, and line %d %q for the same query: keep one", q.Gold.Answer, was.line, was.query.Gold.Answer)
		}
		var t Trace
		if c.Trace != nil {
			unknown += t.takeEvents(c.Trace)
		} else {
			t.take(c.Messages)
		}
		l.row(cmp.Or(c.Configuration, c.Model, "default"), c.Model).add(l.query(q), t)
		return nil
	})
	l.note(ungraded, "%d conversations have no gold: name a dataset with --dataset to judge them")
	l.note(unknown, "%d events of traces are neither thought, action, observation nor final: they are left out")
	return l, err
}
