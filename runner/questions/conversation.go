package questions

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/internal/lines"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/store/disk"
	"github.com/seed-5817661a/concur/trace"
)

// Schema is the schema's name on the first line of questions.jsonl.
const Schema = "concur/questions/v1"

const file = "questions.jsonl"

// Conversation is a session of questions without gold. Each question is a query with the earlier questions and
// replies as its history.
type Conversation struct {
	Context datasets.Context // for the next question
	Queries []datasets.Query // the questions that Keep has written
	number  int              // number of the last question, from 1
}

// question is a line of questions.jsonl.
type question struct {
	ID   string `json:"id"`
	Text string `json:"query"`
	datasets.Context
}

func (q question) query() datasets.Query {
	return datasets.Query{
		ID: q.ID, Category: store.AskDataset, Text: q.Text, Context: q.Context,
		Gold: datasets.Gold{Type: answer.Text, Outcome: trace.Answered, None: true},
	}
}

// Next returns the query for the next question.
func (c *Conversation) Next(text string) datasets.Query {
	c.number++
	return question{fmt.Sprintf("%s-%d", store.AskDataset, c.number), text, c.Context}.query()
}

// Keep writes an answered query to the run folder, so that a replay can read it. It also adds the question and
// the reply that the person read to the history. It does not add them if the reply is empty, or if the question
// was refused as an attack, because the guard also reads the history and would refuse the next question, too.
func (c *Conversation) Keep(dir string, q datasets.Query, r store.Record, reply string) error {
	f, err := disk.AppendFile(filepath.Join(dir, file))
	if err != nil {
		return fmt.Errorf("keep the question: %w", err)
	}
	if len(c.Queries) == 0 {
		_, err = fmt.Fprintf(f, "{\"schema\":%q}\n", Schema)
	}
	line, wrong := lines.Encode(question{q.ID, q.Text, q.Context})
	if err = errors.Join(err, wrong); err == nil {
		_, err = f.Write(append(line, '\n'))
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("keep the question: %w", err)
	}
	c.Queries = append(c.Queries, q)
	said := reply != ""
	replied := false
	for _, a := range r.Answers {
		said = said && a.StopReason != trace.RefusedByGuard
		replied = replied || a.Outcome != trace.Infra
	}
	if said && replied {
		c.Context.History = append(c.Context.History[:len(c.Context.History):len(c.Context.History)],
			datasets.Turn{Role: datasets.UserRole, Content: q.Text},
			datasets.Turn{Role: datasets.AssistantRole, Content: reply})
	}
	return nil
}

// Dataset returns the kept queries as a dataset.
func (c *Conversation) Dataset() *datasets.Dataset { return datasets.New(store.AskDataset, c.Queries) }

// Open reads the questions that a session of ask kept in its run folder. It returns nil if an older
// version of concur made the session, because older versions kept no questions.
func Open(run *store.Run) (*datasets.Dataset, error) {
	raw, err := disk.ReadFile(filepath.Join(run.Dir, file))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var queries []datasets.Query
	for i, line := range bytes.Split(bytes.TrimSuffix(raw, []byte("\n")), []byte("\n")) {
		var q question
		if i == 0 && string(line) == fmt.Sprintf("{\"schema\":%q}", Schema) {
			continue
		}
		if err = json.Unmarshal(line, &q); err != nil || q.ID == "" {
			return nil, disk.Damage(fmt.Errorf("%s:%d: this line is not a question of a session: restore the file from a copy",
				filepath.Join(run.Dir, file), i+1))
		}
		queries = append(queries, q.query())
	}
	return datasets.New(store.AskDataset, queries), err
}
