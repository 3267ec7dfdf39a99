package view

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html/template"
	"net/http"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/seed-5817661a/concur/ablations/usefulness"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/reports/page"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

// traceBody is the page of a trace.
type traceBody struct {
	Run, Report, Queries string
	Query                string
	Number               int
	Row                  *queryRow // the query's records; nil until the query is decided
	Others               []queryTrace
	Happened             template.HTML
	Conversations        []conversation
	Questions            []conversation // the conversations with verifier and judges
}

// conversation holds exchanges in the order in which they were sent.
type conversation struct {
	Title     string
	Exchanges []exchange
}

// exchange is a request with its reply.
type exchange struct {
	At, Title string
	Settings  string    // settings of the request, as JSON
	SameAs    string    // an exchange on the page with the same settings
	Kept      []message // messages that were sent again; the page shows each at its first place
	Messages  []message
	Reply     *message
	Facts     []namedFact
	Error     string
}

// message is a message that was sent, or a reply.
type message struct {
	At, Title string
	Parts     []messagePart
}

type messagePart struct {
	Name string // name of the part; "" for the text itself
	Text string
	Long string // size of a text that is folded
}

type namedFact struct{ Name, Value string }

// trace sends the page of a trace: its events, and all requests to models with their replies.
func (s *server) trace(w http.ResponseWriter, r *http.Request, e *entry) error {
	asks := r.URL.Query()
	number, err := strconv.Atoi(asks.Get("trace"))
	if err != nil {
		return problem{http.StatusNotFound, "The number of the trace is missing in the address."}
	}
	run, index, err := e.traces(r.Context())
	if err != nil {
		return err
	}
	id := trace.ID{Agent: asks.Get("agent"), Query: asks.Get("query"), Trace: number}
	events, err := index.ReadEvents(run, id)
	if err != nil {
		return err
	}
	if len(events) == 0 {
		return problem{http.StatusNotFound, fmt.Sprintf("The run has no trace %d of query %s by agent %s.", number,
			id.Query, id.Agent)}
	}
	at := runAddress(s.root, e.name)
	b := traceBody{Run: e.name, Report: at, Queries: at + "queries", Query: id.Query, Number: number}
	for _, other := range index.Traces(id.Query) {
		if other.Agent == id.Agent {
			b.Others = append(b.Others, queryTrace{At: s.traceAt(e.name, other), Name: strconv.Itoa(other.Trace)})
		}
	}
	records, err := index.ReadRecords(run, index.RecordsOf(id.Query))
	if err != nil {
		return err
	}
	if records = slices.DeleteFunc(records, func(r store.Record) bool { return r.Agent != id.Agent }); len(records) > 0 {
		b.Row = new(s.queryRow(e.name, run.Manifest, records))
	}
	gains, err := usefulness.ReadScored(run, "", func(query string) bool { return query == id.Query })
	if err != nil {
		return err
	}
	if b.Happened, err = page.Trace(events, gains); err != nil {
		return err
	}
	c := correspondence{room: mostOfPage, settings: map[string]string{}}
	own, err := index.ReadExchanges(run, model.Identity{Agent: id.Agent, Query: id.Query, Trace: id.Trace,
		Purpose: model.Agent})
	if err != nil {
		return err
	}
	b.Conversations = c.conversations(own, "agent")
	for _, of := range index.Questions(id.Query) {
		all, err := index.ReadExchanges(run, of)
		if err != nil {
			return err
		}
		b.Questions = append(b.Questions, c.conversations(all, string(of.Purpose))...)
	}
	s.show(w, http.StatusOK, "trace", fmt.Sprintf("%s, trace %d", id.Query, number), "", b)
	return nil
}

const (
	// mostOfText is the maximum number of bytes of one text of an exchange on a page. mostOfPage is the maximum
	// of all texts together. After that, each text is cut to leastOfText bytes.
	mostOfText  = 2 << 20
	mostOfPage  = 16 << 20
	leastOfText = 2000
	// longText is the number of bytes from which a text is folded.
	longText = 1500
)

// correspondence prepares exchanges for a page. Each message and each group of settings is shown once.
type correspondence struct {
	room      int // number of bytes that may still be shown
	exchanges int
	messages  int
	settings  map[string]string // for settings (as JSON), the exchange that shows them
}

// conversations returns exchanges by agent and task, each in the order in which they were sent.
func (c *correspondence) conversations(all []store.Exchange, who string) []conversation {
	var out []conversation
	places := map[model.Identity]int{}
	sent := map[model.Identity][]message{} // messages of the last exchange, with its reply
	for _, x := range all {
		of := x.Identity.Conversation()
		at, known := places[of]
		if !known {
			at = len(out)
			places[of] = at
			title := who
			for _, part := range []string{x.Path, x.Task} {
				if part != "" {
					title += ", " + part
				}
			}
			if x.Purpose != model.Agent {
				title += " " + x.Agent
			}
			out = append(out, conversation{Title: title})
		}
		shown := c.exchange(x, sent[of])
		sent[of] = slices.Concat(shown.Kept, shown.Messages)
		if shown.Reply != nil {
			sent[of] = append(sent[of], *shown.Reply)
		}
		out[at].Exchanges = append(out[at].Exchanges, shown)
	}
	return out
}

// exchange prepares one exchange. before has the messages of the previous exchange, because this exchange may
// repeat them.
func (c *correspondence) exchange(x store.Exchange, before []message) exchange {
	c.exchanges++
	out := exchange{At: fmt.Sprint("x", c.exchanges), Title: fmt.Sprintf("Request %d", x.Step+1),
		Kept: before[:min(max(0, x.Kept), len(before))]}
	if x.Kept > len(out.Kept) {
		out.Facts = append(out.Facts, namedFact{"not recorded",
			fmt.Sprintf("%d messages before these", x.Kept-len(out.Kept))})
	}
	for _, m := range x.Messages {
		out.Messages = append(out.Messages, c.message(m))
	}
	if x.Response != nil {
		out.Reply = new(c.message(*x.Response))
	}
	if first, known := c.settings[x.Settings]; known {
		out.SameAs = first
	} else {
		c.settings[x.Settings] = out.At
		out.Settings = c.indented(x.RequestSettings)
	}
	out.Facts = append(out.Facts, namedFact{"seed", fmt.Sprint(x.Seed)},
		namedFact{"took", fmt.Sprintf("%.2f s, attempts: %d", x.Latency, x.Attempts)})
	if x.Model != nil {
		out.Facts = append(out.Facts, namedFact{"model", c.cut(*x.Model)})
	}
	if x.Finish != nil {
		out.Facts = append(out.Facts, namedFact{"finish reason", c.cut(*x.Finish)})
	}
	if u := x.Usage; u != nil {
		out.Facts = append(out.Facts, namedFact{"tokens", fmt.Sprintf("%d in, %d out", u.InputTokens, u.OutputTokens)})
	}
	if x.Error != nil {
		out.Error = c.cut(*x.Error)
		if x.ErrorKind != nil {
			out.Error = fmt.Sprintf("%s: %s", *x.ErrorKind, out.Error)
		}
	}
	return out
}

func (c *correspondence) message(m model.Message) message {
	c.messages++
	out := message{At: fmt.Sprint("m", c.messages), Title: string(m.Role)}
	if m.ToolCallID != "" {
		out.Title += " " + c.cut(m.ToolCallID)
	}
	add := func(name, text string) {
		if text == "" {
			return
		}
		p := messagePart{Name: name, Text: c.cut(text)}
		if len(text) > longText {
			p.Long = fmt.Sprintf("%d characters", utf8.RuneCountInString(text))
		}
		out.Parts = append(out.Parts, p)
	}
	add("thought", m.Thought)
	add("", m.Content)
	for _, call := range m.ToolCalls {
		add("call "+c.cut(call.Name)+" "+c.cut(call.ID), call.Arguments)
	}
	add("opaque", string(m.Opaque))
	return out
}

// indented returns a value as indented JSON.
func (c *correspondence) indented(v any) string {
	raw, err := json.Marshal(v)
	var b bytes.Buffer
	if err == nil {
		err = json.Indent(&b, raw, "", "  ")
	}
	if err != nil {
		return err.Error()
	}
	return c.cut(b.String())
}

// cut shortens a text, and appends the number of bytes that were cut.
func (c *correspondence) cut(text string) string {
	most := mostOfText
	if c.room < len(text) {
		most = leastOfText
	}
	text = page.Cut(text, most, "; chat.jsonl has the whole text")
	c.room -= len(text)
	return text
}
