package learn

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/seed-5817661a/concur/internal/lines"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/model/asking"
	"github.com/seed-5817661a/concur/runner/playbook"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

//go:embed prompts.yaml
var promptFile []byte

var prompt = sync.OnceValue(func() asking.Prompt { return asking.Prompts(promptFile)["contrast"] })

// contrastVersion changes with the request of Contrast.
const contrastVersion = "contrast/v1"

// Bounds of a request, in bytes.
const (
	maxStep    = 400
	maxAttempt = 6 << 10
	maxLessons = 3
)

// Contrast is a reflector that shows a model a right and a wrong trace of each query, and asks it for lessons.
// If all traces of a query are right, the reflector only tags bullets. If all are wrong, it only adds pitfalls.
// If a lesson contains an answer of Options.Known, it is dropped and counted. All wordings of one lesson become
// one bullet, with counts from the traces of the run.
type Contrast struct {
	Model    model.Model
	MaxCalls int    // 0 means no limit; when it is reached, Learn returns an error and the journal keeps the replies
	Journal  string // file that keeps replies, so that a stopped run can continue; the caller removes it
}

// noted is a line of the journal: the operations from one query.
type noted struct {
	Query      string               `json:"query"`
	Operations []playbook.Operation `json:"operations"`
	Dropped    int                  `json:"dropped"`
	Unread     string               `json:"unread,omitempty"` // the reason if a reply could not be used
}

// Learn reads a run. unread counts queries whose reply did not have the requested form.
func (c Contrast) Learn(ctx context.Context, run *store.Run, o Options) (l *Lesson, unread int, err error) {
	questions, err := read(run, o)
	if err != nil {
		return nil, 0, err
	}
	done, err := c.readJournal()
	if err != nil {
		return nil, 0, err
	}
	texts, err := attempts(run, questions)
	if err != nil {
		return nil, 0, err
	}
	l = &Lesson{Learned: playbook.Learned{Run: run.Manifest.Run, Reflector: "contrast/" + string(o.Labels)}}
	calls := 0
	var notes []noted
	for _, q := range questions {
		l.Learned.Queries = append(l.Learned.Queries, q.Query)
		n, known := done[q.ID]
		if !known {
			if c.MaxCalls > 0 && calls >= c.MaxCalls {
				return nil, 0, fmt.Errorf("the calls are used up after %d of %d queries: repeat the command "+
					"to continue, or "+
					"raise the bound", len(l.Learned.Queries)-1, len(questions))
			}
			reply, err := c.ask(ctx, run, q, texts)
			if err != nil {
				return nil, 0, err
			}
			calls += reply.Effort.Calls
			if reply.Failed != nil {
				return nil, 0, fmt.Errorf("ask about query %s: %w: repeat the command to continue", q.ID, reply.Failed)
			}
			n = lessonOf(run, q, reply, o.Known)
			if err := c.note(n); err != nil {
				return nil, 0, err
			}
		}
		notes = append(notes, n)
		l.Dropped += n.Dropped
		if n.Unread != "" {
			unread++
		}
	}
	l.Operations = unite(questions, notes)
	return l, unread, nil
}

// contrasted is the reply of the model.
type contrasted struct {
	Lessons []struct {
		Section, Text string
		Tools         []string
	}
	Tags []struct{ ID, Tag string }
}

func (c Contrast) ask(ctx context.Context, run *store.Run, q *question,
	texts map[trace.ID]string) (asking.Reply[contrasted], error) {
	blocks := []asking.Block{asking.Data("question", q.text, maxAttempt)}
	for _, t := range q.sides() {
		name := "wrong attempt"
		if t.right {
			name = "right attempt"
		}
		blocks = append(blocks, asking.Data(name, texts[t.id], maxAttempt))
	}
	blocks = append(blocks, asking.Data("advice shown", strings.Join(q.shown(), " "), maxAttempt))
	return asking.Ask(ctx, c.Model, model.Request{
		Identity: model.Identity{Query: q.ID, Purpose: model.Judge},
		Messages: asking.Messages(prompt().Task, run.Manifest.Seed, blocks...), Seed: run.Manifest.Seed,
		Schema: prompt().Response("contrast"),
	}, func(text string) (r contrasted, err error) {
		err = asking.ReadInto(text, map[string]any{"lessons": &r.Lessons, "tags": &r.Tags})
		return r, err
	})
}

// lessonOf returns the operations of a reply that the traces of its query support.
func lessonOf(run *store.Run, q *question, reply asking.Reply[contrasted], known []string) noted {
	n := noted{Query: q.ID, Operations: []playbook.Operation{}}
	if reply.Value == nil {
		n.Unread = reply.Unread.Error()
		return n
	}
	right := slices.ContainsFunc(q.traces, func(t *attempt) bool { return t.right })
	wrong := slices.ContainsFunc(q.traces, func(t *attempt) bool { return !t.right })
	for _, x := range reply.Value.Lessons[:min(maxLessons, len(reply.Value.Lessons))] {
		switch {
		case !wrong, !right && x.Section != playbook.Pitfalls:
		case hasAny(x.Text, known):
			n.Dropped++
		default:
			n.Operations = append(n.Operations, playbook.Operation{
				Type: playbook.Add, Section: x.Section, Text: strings.TrimSpace(x.Text), Tools: x.Tools,
				Origin:  []playbook.Origin{q.origin},
				Created: run.Manifest.Start.UTC().Format(time.RFC3339),
				Reason:  "lesson from query " + q.ID + " (" + contrastVersion + ")",
			})
		}
	}
	shown := q.shown()
	for _, t := range reply.Value.Tags {
		op := playbook.Operation{Type: playbook.Tag, ID: t.ID,
			Reason: t.Tag + " in query " + q.ID + " (" + contrastVersion + ")"}
		at := slices.Index(shown, t.ID)
		switch {
		case at >= 0 && t.Tag == "helpful":
			op.Helpful = 1
		case at >= 0 && t.Tag == "harmful":
			op.Harmful = 1
		default:
			continue
		}
		shown = slices.Delete(shown, at, at+1) // count a bullet once
		n.Operations = append(n.Operations, op)
	}
	return n
}

// sides returns the first right and the first wrong trace of a query, if it has them.
func (q *question) sides() []*attempt {
	var out []*attempt
	for _, right := range []bool{true, false} {
		if i := slices.IndexFunc(q.traces, func(t *attempt) bool { return t.right == right }); i >= 0 {
			out = append(out, q.traces[i])
		}
	}
	return out
}

// shown returns the bullets that traces of the query were shown, without duplicates.
func (q *question) shown() (out []string) {
	for _, t := range q.traces {
		for _, id := range t.shown {
			if !slices.Contains(out, id) {
				out = append(out, id)
			}
		}
	}
	return out
}

// attempts describes for Contrast the calls of each trace and their results.
func attempts(run *store.Run, questions []*question) (map[trace.ID]string, error) {
	texts := map[trace.ID]string{}
	for _, q := range questions {
		for _, t := range q.sides() {
			texts[t.id] = ""
		}
	}
	for e, err := range run.Events() {
		if err != nil {
			return nil, err
		}
		have, wanted := texts[e.ID]
		if !wanted || !model.IsOwnPath(e.Path) || len(have) >= maxAttempt {
			continue
		}
		switch b := e.Body.(type) {
		case trace.Action:
			have += asking.Cut("call "+b.Name+" "+string(b.Input), maxStep) + "\n"
		case trace.Observation:
			text := string(b.Output)
			if b.Error != nil {
				text = *b.Error
			}
			have += asking.Cut("result "+text, maxStep) + "\n"
		case trace.Conclusion:
			have += asking.Cut("final message "+b.Message, maxStep) + "\n"
		}
		texts[e.ID] = have
	}
	return texts, nil
}

// readJournal reads earlier replies. It ignores a line that a killed process left incomplete.
func (c Contrast) readJournal() (map[string]noted, error) {
	data, err := os.ReadFile(c.Journal)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read journal: %w", err)
	}
	out := map[string]noted{}
	for line := range bytes.Lines(data) {
		var n noted
		if json.Unmarshal(line, &n) == nil {
			out[n.Query] = n
		}
	}
	return out, nil
}

// note appends a line to the journal. It begins with a line end, because a killed process may have left an
// incomplete line.
func (c Contrast) note(n noted) error {
	line, err := lines.Encode(n)
	if err != nil {
		return fmt.Errorf("encode journal: %w", err)
	}
	f, err := os.OpenFile(c.Journal, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err == nil {
		_, err = f.Write(slices.Concat([]byte{'\n'}, line, []byte{'\n'}))
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		return fmt.Errorf("write journal %s: %w", c.Journal, err)
	}
	return nil
}
