package imports

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/datasets/answer"
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

// answered is a conversation that was found. Its content is read again when the trace is needed.
type answered struct {
	ref     otlp.Ref
	index   int // among the K traces; math.MaxInt if unknown
	start   time.Time
	seconds float64
	outcome trace.Outcome // "" for an answer that the rules have not read yet
	stop    trace.StopReason
}

// trace returns the trace without its content.
func (a answered) trace() Trace {
	return Trace{Trace: trace.Trace{Outcome: a.outcome, StopReason: a.stop}, Seconds: a.seconds,
		read: func() (Trace, error) {
			c, err := a.ref.Read()
			return traceOf(c), err
		}}
}

// spans makes a log of conversations.
type spans struct {
	log     *Log
	rows    map[*Row]map[string][]answered // by id of the query
	silent  int                            // conversations without a question
	renamed int                            // conversations whose id another question has
	many    int                            // conversations after the most of a query
	steps   int                            // requests that are a part of an answer
	queries map[string]datasets.Query      // by id
	graded  map[string]bool                // ids of queries with a gold
}

func fromSpans(s *otlp.Store) (l *Log, err error) {
	l = &Log{Tool: imported.Spans, Name: "spans", close: s.Close}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.Close())
		}
	}()
	r := spans{log: l, rows: map[*Row]map[string][]answered{}, queries: map[string]datasets.Query{},
		graded: map[string]bool{}}
	for ref := range s.Conversations() {
		if err := r.take(ref); err != nil {
			return nil, err
		}
	}
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
	// The order of the files, and of ids that are drawn, does not change the run.
	slices.SortFunc(l.Queries, func(a, b datasets.Query) int { return cmp.Compare(a.ID, b.ID) })
	slices.SortFunc(l.Rows, func(a, b *Row) int { return cmp.Compare(a.Name, b.Name) })
	l.Notes = append(l.Notes, s.Notes()...)
	l.note(r.silent, "conversation", " has no recorded question, and is left out",
		" have no recorded question, and are left out")
	l.note(r.steps, "request", " calls tools without an agent's span: it is a step of another request, and left out",
		" call tools without an agent's span: they are steps of other requests, and left out")
	l.note(r.renamed, "conversation", " has another question than the first one with its id: it is a query of its own",
		" have another question than the first one with their id: they are queries of their own")
	l.note(r.many, "conversation", " is left out: a query has at most 10,000 traces",
		" are left out: a query has at most 10,000 traces")
	l.note(len(l.Queries)-len(r.graded), "query", " has no gold"+nameDataset+"it", " have no gold"+nameDataset+"them")
	return l, nil
}

// take adds a conversation, without its content.
func (r *spans) take(ref otlp.Ref) error {
	c, err := ref.Read()
	if err != nil {
		return err
	}
	switch {
	case c.Question == "":
		r.silent++
		return nil
	case c.Step:
		r.steps++
		return nil
	}
	// Other traces have another seed. Equal seeds of a model without chance mean equal traces to the gate.
	sum := sha256.Sum256([]byte(c.TraceID + c.SpanID))
	r.log.seed = (r.log.seed + int64(binary.BigEndian.Uint32(sum[:]))) & math.MaxInt32
	id, row := r.query(c), r.row(c)
	if r.rows[row] == nil {
		r.rows[row] = map[string][]answered{}
	}
	if len(r.rows[row][id]) >= maxRepeats {
		r.many++
		return nil
	}
	at := c.Index
	if at < 0 {
		at = math.MaxInt
	}
	t := traceOf(c)
	r.rows[row][id] = append(r.rows[row][id], answered{ref, at, c.Start, c.Seconds, t.Outcome, t.StopReason})
	return nil
}

// query returns the id of the query of a conversation: the recorded one, or else the question and what came before.
func (r *spans) query(c otlp.Conversation) string {
	q := datasets.Query{ID: c.ID, Category: c.Category, Text: c.Question,
		Gold: datasets.Gold{Answer: c.Gold}}
	q.History = c.History
	key := ""
	for _, turn := range c.History {
		key += turn.Content + "\x00"
	}
	if key += c.Question; q.ID == "" {
		q.ID = key
	} else if known, is := r.queries[q.ID]; is && (known.Text != q.Text || !slices.Equal(known.History, q.History)) {
		r.renamed++
		q.ID += " " + key
	}
	if _, is := r.queries[q.ID]; !is {
		r.queries[q.ID] = q
	}
	id := r.log.query(q)
	if c.Gold != "" {
		r.graded[id] = true
	}
	return id
}

// unnamed is the beginning of the name that OpenTelemetry gives to a service without one.
const unnamed = "unknown_service"

// row returns the row of a conversation: that of its configuration, agent or service, and of its model.
func (r *spans) row(c otlp.Conversation) *Row {
	service := c.Service
	if strings.HasPrefix(service, unnamed) {
		service = ""
	}
	name := cmp.Or(c.Configuration, c.Agent, service, "default")
	row := r.log.row(name, c.Model)
	if row.Model == "" {
		row.Model = c.Model
	}
	if c.Model != "" && row.Model != c.Model {
		row = r.log.row(name+" "+c.Model, c.Model)
	}
	return row
}

// place gives each trace its place among those of its query: that of its index or, without indexes, that of its time.
// Places that no trace has are lost traces.
func (r *spans) place() {
	for row, queries := range r.rows {
		for id, all := range queries {
			slices.SortStableFunc(all, func(a, b answered) int {
				return cmp.Or(cmp.Compare(a.index, b.index), a.start.Compare(b.start))
			})
			distinct := true
			for i := 1; i < len(all); i++ {
				distinct = distinct && (all[i].index != all[i-1].index || all[i].index == math.MaxInt)
			}
			for _, t := range all {
				if distinct && t.index < maxRepeats {
					row.fill(id, t.index)
				}
				row.add(id, t.trace())
			}
			delete(queries, id)
		}
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
