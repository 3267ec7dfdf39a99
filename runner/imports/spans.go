package imports

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/datasets/queries"
	"github.com/seed-5817661a/concur/runner/imported"
	"github.com/seed-5817661a/concur/runner/imports/otlp"
	"github.com/seed-5817661a/concur/trace"
)

// FormatOTLP is the format of recorded spans of OpenTelemetry.
const FormatOTLP = "otlp"

// readSpans reads spans of OpenTelemetry from one file.
func readSpans(from source) (*Log, error) {
	s, err := otlp.Read(from, otlp.Options{Fields: from.fields})
	if err != nil {
		return nil, err
	}
	return fromSpans(s)
}

// OpenSpans reads the spans of OpenTelemetry in a file, or in the files of a folder. fields maps fields to attributes,
// as [ReadFields] returns them. The log has a temporary file until Close.
func OpenSpans(path string, fields map[string]string) (*Log, error) {
	s, err := otlp.Open(path, otlp.Options{Fields: fields})
	if err != nil {
		return nil, fmt.Errorf("import %s: %w", path, err)
	}
	l, err := fromSpans(s)
	if err != nil {
		return nil, fmt.Errorf("import %s: %w", path, err)
	}
	return l, nil
}

// ReadFields reads FIELD=ATTRIBUTE,…, or a YAML file of them, for spans of OpenTelemetry.
func ReadFields(text string) (map[string]string, error) {
	return readPairs(text, "gold=app.expected", otlp.Fields)
}

// spans makes a log of conversations.
type spans struct {
	log       *Log
	questions questions
	rows      map[*Row]int32 // their numbers
	all       []answered
	silent    int // conversations without a question
	many      int // conversations after the most of a query
	steps     int // requests that are a part of an answer
	turns     []turn
	later     int // conversations that follow others in their sessions
}

func fromSpans(s *otlp.Store) (_ *Log, err error) {
	l := &Log{Tool: imported.Spans, Name: "spans", close: s.Close}
	r := spans{log: l, rows: map[*Row]int32{},
		questions: questions{numbers: map[digest]int32{}, texts: map[digest]digest{}}}
	set, err := queries.Collect(l.Name, r.takeAll(s))
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	l.questions = set.Sorted() // the order of the files does not change the run
	defer func() {
		if err != nil {
			err = errors.Join(err, l.Close())
		}
	}()
	if s.Empty() {
		return nil, errEmpty
	}
	if len(l.Rows) == 0 {
		if r.silent > 0 {
			return nil, errors.New("no conversation has a question: let the program record the content of messages, or " +
				"name the attribute with --mapping query=ATTRIBUTE")
		}
		return nil, errors.New("no span is of an agent or a model: name files with spans of GenAI, OpenInference or " +
			"Traceloop")
	}
	r.place()
	slices.SortFunc(l.Rows, func(a, b *Row) int { return cmp.Compare(a.Name, b.Name) })
	r.note(s)
	return l, nil
}

// note says what was read, and what was not.
func (r *spans) note(s *otlp.Store) {
	l := r.log
	l.Notes = append(l.Notes, s.Notes()...)
	l.note(r.silent, "conversation", " has no recorded question, and is left out",
		" have no recorded question, and are left out")
	l.note(r.steps, "request", " calls tools without an agent's span: it is a step of another request, and left out",
		" call tools without an agent's span: they are steps of other requests, and left out")
	l.note(r.later, "conversation",
		" follows others in its session, which are a part of its question (not with --mapping session=none)",
		" follow others in their sessions, which are a part of their questions (not with --mapping session=none)")
	l.note(r.questions.renamed, "conversation",
		" has another question than the first one with its id: it is a query of its own",
		" have another question than the first one with their id: they are queries of their own")
	l.note(r.many, "conversation", " is left out: a query has at most 10,000 traces",
		" are left out: a query has at most 10,000 traces")
	l.note(r.questions.ungraded(), "query", " has no gold"+nameDataset+"it", " have no gold"+nameDataset+"them")
}

// takeAll takes the conversations, and gives their queries.
func (r *spans) takeAll(s *otlp.Store) iter.Seq2[datasets.Query, error] {
	return func(yield func(datasets.Query, error) bool) {
		for ref, err := range s.Conversations() {
			var c otlp.Conversation
			if err == nil {
				c, err = ref.Read()
			}
			if err != nil {
				yield(datasets.Query{}, err)
				return
			}
			if isTurn(c) {
				r.addTurn(ref, c)
			} else if q, fresh := r.take(ref, c); fresh && !yield(q, nil) {
				return
			}
		}
		if r.takeTurns(yield) {
			r.turns = nil
		}
	}
}

// take adds a conversation, without its content. It returns its query, and whether this is a new one.
func (r *spans) take(ref otlp.Ref, c otlp.Conversation) (q datasets.Query, fresh bool) {
	switch {
	case c.Question == "":
		r.silent++
		return q, false
	case c.Step:
		r.steps++
		return q, false
	}
	// Other traces have another seed. Equal seeds of a model without chance mean equal traces to the gate.
	sum := sha256.Sum256([]byte(c.TraceID + c.SpanID))
	r.log.seed = (r.log.seed + int64(binary.BigEndian.Uint32(sum[:]))) & math.MaxInt32
	q = datasets.Query{ID: c.ID, Category: c.Category, Text: c.Question, Gold: datasets.Gold{Answer: c.Gold}}
	q.History = c.History
	q, number, fresh := r.questions.note(q)
	row := r.row(c)
	if _, known := r.rows[row]; !known {
		r.rows[row] = int32(len(r.rows))
	}
	place := c.Index
	if place < 0 {
		place = math.MaxInt
	}
	r.all = append(r.all, answered{ref: ref, start: c.Start.UnixNano(), seconds: c.Seconds, place: place,
		row: r.rows[row], query: number, failed: traceOf(c).Outcome == trace.Infra})
	return q, fresh
}

// unnamed is the beginning of the name that OpenTelemetry gives to a service without one.
const unnamed = "unknown_service"

// nameOf returns the configuration, agent or service of a conversation.
func nameOf(c otlp.Conversation) string {
	service := c.Service
	if strings.HasPrefix(service, unnamed) {
		service = ""
	}
	return cmp.Or(c.Configuration, c.Agent, service, "default")
}

// row returns the row of a conversation: that of its name, and of its model.
func (r *spans) row(c otlp.Conversation) *Row {
	name := nameOf(c)
	row := r.log.row(name, c.Model)
	if row.Model == "" {
		row.Model = c.Model
	}
	if c.Model != "" && row.Model != c.Model {
		row = r.log.row(name+" "+c.Model, c.Model)
	}
	return row
}

// place gives the rows their conversations.
func (r *spans) place() {
	r.all, r.many = placed(r.all)
	rows := map[int32]*Row{}
	for row, number := range r.rows {
		rows[number] = row
	}
	for list := range chunked(r.all, func(x, y answered) bool { return x.row == y.row }) {
		rows[list[0].row].answers = &answers{list: list, numbers: r.questions.numbers}
	}
}

// traceOf returns a conversation as a trace. It invents no answer: a conversation without a final message is a trace
// without an answer, and one that ended with an error is lost.
func traceOf(c otlp.Conversation) Trace {
	t := Trace{Seconds: c.Seconds, Trace: trace.Trace{Message: c.Message, Steps: c.Steps, ToolCalls: c.ToolCalls,
		ModelCalls: c.ModelCalls, Usage: c.Usage}}
	for _, e := range c.Events {
		t.Events = append(t.Events, Event(e))
	}
	switch {
	case c.Failure != "":
		t = t.lose(trace.AgentError, c.Failure)
	case c.Message == "":
		t.Outcome, t.StopReason, t.Cause = trace.NoAnswer, trace.EmptyAnswer, c.Missing
		t.Extract = string(answer.FromNowhere)
	}
	t.Extras.Set(trace.OriginName, trace.Origin{TraceID: c.TraceID, SpanID: c.SpanID})
	return t
}
