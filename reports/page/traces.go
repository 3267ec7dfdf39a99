package page

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/reports/transcript"
	"github.com/seed-5817661a/concur/trace"
)

// traceView is one trace.
type traceView struct {
	Title  string
	At     string // address of the trace's page; "" if it has none
	SameAs string // the name of an earlier trace with equal events; else ""
	Facts  []namedFact
	Steps  []stepView
	events []trace.Event
}

// stepView is a model turn with its results.
type stepView struct {
	Number int
	Agent  string // the sub-agent of the step; "" for the trace's own agent
	Parts  string // the name of another trace, at the first step that differs from it; else ""
	Events []event
}

// event is one event of a step.
type event struct {
	Kind      string // one of the page's own words, also the class in the style sheet
	Head      string
	Text      string
	Long      string // the size of a text that is folded; "" if it is not folded
	Documents []reference
	Problems  []string
}

// reference is a document in the result of a tool call.
type reference struct {
	ID    string // as the agent cites it
	Title string
	Score string
	At    string // address of the document in the page
}

// evidence is a document, which the page shows once.
type evidence struct{ At, Title, Source, Text string }

// library holds the documents of all traces, each once.
type library struct {
	places map[string]string
	all    []evidence
}

func (l *library) enter(d trace.Document) reference {
	key := d.Title + "\x00" + d.Source + "\x00" + d.Snippet
	at, known := l.places[key]
	if !known {
		at = "doc" + strconv.Itoa(len(l.all)+1)
		l.places[key] = at
		l.all = append(l.all, evidence{at, shorten(d.Title), shorten(d.Source), shorten(d.Snippet)})
	}
	return reference{shorten(d.ID), cmp.Or(shorten(d.Title), shorten(d.Source)), fmt.Sprintf("%.2f", d.Score), at}
}

// mostText is the maximum number of bytes that the page shows of one text, because a tool may return a
// megabyte.
const mostText = 4000

// longText is the number of bytes from which a text of a trace is folded.
const longText = 1200

func shorten(s string) string { return Cut(s, mostText, "; concur trace shows them") }

// Cut shortens a text to a number of bytes. It adds the number of bytes left out, and where to find them.
func Cut(text string, most int, where string) string {
	if len(text) <= most {
		return text
	}
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return fmt.Sprintf("%s … (%d more bytes%s)", text[:most], len(text)-most, where)
}

// origin identifies the traces of one agent of a run on one query.
type origin struct {
	run          int
	agent, query string
}

// events reads the events of the chosen queries, by trace.
func (p Page) events(of map[string]bool) (map[origin]map[int][]trace.Event, error) {
	out := map[origin]map[int][]trace.Event{}
	for i, run := range p.Runs {
		for e, err := range run.Events() {
			if err != nil {
				return nil, err
			}
			if !of[e.Query] {
				continue
			}
			o := origin{i, e.Agent, e.Query}
			if out[o] == nil {
				out[o] = map[int][]trace.Event{}
			}
			out[o][e.Trace] = append(out[o][e.Trace], e)
		}
	}
	return out, nil
}

// transcripts returns the traces of one agent on a query, in order. Each is compared with the trace of the same
// number in the other run. If there is no other run, it is compared with the first trace of its own run. If
// several traces are equal, only one of them has steps.
func transcripts(traces, before map[int][]trace.Event, docs *library, marks marked) []traceView {
	var out []traceView
	for _, n := range slices.Sorted(maps.Keys(traces)) {
		t := traceView{Title: fmt.Sprint("trace ", n), Facts: ending(traces[n]), events: traces[n]}
		others := out
		if other, ok := before[n]; ok {
			others = slices.Insert(slices.Clone(out), 0,
				traceView{Title: fmt.Sprintf("trace %d of the other run", n), events: other})
		}
		for _, other := range others {
			if other.SameAs == "" && t.SameAs == "" &&
				transcript.CountCommon(other.events, t.events) == max(len(other.events), len(t.events)) {
				t.SameAs = other.Title
			}
		}
		if t.SameAs == "" {
			t.Steps = stepsOf(t.events, docs, marks.of(t.events))
			if len(others) > 0 {
				t.part(transcript.CountCommon(others[0].events, t.events), others[0].Title)
			}
		}
		out = append(out, t)
	}
	return out
}

// part marks the step at which a trace begins to differ from another trace: at is the index of the event, from
// the name of the other trace.
func (t *traceView) part(at int, from string) {
	for i := range t.Steps {
		if n := len(t.Steps[i].Events); at < n {
			t.Steps[i].Parts = from
			return
		} else {
			at -= n
		}
	}
}

func stepsOf(events []trace.Event, docs *library, marks map[int]string) []stepView {
	var out []stepView
	for i, e := range events {
		if n := len(out); n == 0 || out[n-1].Number != e.Step || out[n-1].Agent != e.Path {
			out = append(out, stepView{Number: e.Step, Agent: e.Path})
		}
		last := &out[len(out)-1]
		shown := shownAs(e.Body, docs)
		if marks[i] != "" {
			shown.Head += ", " + marks[i]
		}
		if n := len(shown.Text); n > longText && shown.Kind != "final" {
			shown.Long = fmt.Sprintf("%d characters", utf8.RuneCountInString(shown.Text))
		}
		last.Events = append(last.Events, shown)
	}
	return out
}

// shownAs returns an event in the form that the page shows.
func shownAs(body trace.Body, docs *library) event {
	switch e := body.(type) {
	case trace.Thought:
		return event{Kind: "thought", Head: e.Kind, Text: shorten(e.Content)}
	case trace.Action:
		return event{Kind: "call", Head: shorten(e.Name), Text: shorten(transcript.Compact(e.Input))}
	case trace.Observation:
		return observation(e, docs)
	case trace.Reflection:
		return event{Kind: "thought", Head: shorten(e.Task), Text: shorten(e.Content)}
	case trace.Guard:
		return event{Kind: "guard", Head: shorten(e.Rule + ": " + e.Decision), Text: shorten(e.Detail)}
	case trace.Audit:
		out := event{Kind: "audit", Head: "grounded",
			Text: fmt.Sprintf("%s valid; claims: %d", text.CountedOf(e.Valid, e.Citations, "citation"), e.Claims)}
		if !e.Grounded {
			out.Head = "not grounded"
		}
		for _, p := range e.Problems {
			out.Problems = append(out.Problems, shorten(p.Check+" "+p.Level+": "+p.Detail))
		}
		return out
	case trace.Conclusion:
		head := string(e.Outcome)
		if e.Turns != nil { // the messages are at the ends of the turns
			return event{Kind: "final", Head: "conversation: " + head}
		}
		if e.StopReason == trace.Ungrounded {
			head += ": the citation audit rejected the answer"
		}
		return event{Kind: "final", Head: head, Text: shorten(e.Message)}
	case trace.Extraction:
		out := event{Kind: "final", Head: "read by " + shorten(e.Model) + " for " + shorten(e.Configuration)}
		switch {
		case e.Answer != nil:
			out.Text = shorten(*e.Answer)
		case e.Cause != nil:
			out.Text = shorten(*e.Cause)
		}
		return out
	case trace.Unknown:
		return event{Kind: "unknown", Head: shorten(e.Name), Text: shorten(transcript.Compact(e.Line))}
	}
	return event{Kind: "unknown"}
}

func observation(o trace.Observation, docs *library) event {
	out := event{Kind: "observation", Head: fmt.Sprintf("%.0f ms", o.DurationMS)}
	switch {
	case o.Error != nil:
		out.Head, out.Text = "error, "+out.Head, shorten(*o.Error)
	case len(o.Documents) > 0:
		for _, d := range o.Documents {
			out.Documents = append(out.Documents, docs.enter(d))
		}
	default:
		out.Text = shorten(transcript.Compact(o.Output))
	}
	return out
}

// namedFact is a name with its value.
type namedFact struct{ Name, Value string }

// ending describes the end of a trace; if there is no end, it says so.
func ending(events []trace.Event) []namedFact {
	for _, e := range slices.Backward(events) {
		c, is := e.Body.(trace.Conclusion)
		if !is || e.Path != "" {
			continue
		}
		answer := "none"
		if c.Answer != nil {
			answer = shorten(*c.Answer)
		}
		out := []namedFact{
			{"answer", answer},
			{"outcome", string(c.Outcome) + ", " + string(c.StopReason)},
			{"took", fmt.Sprintf("%s, %s, %s, %.1f s", text.Counted(c.Steps, "step"), text.Counted(c.ToolCalls, "call"),
				text.Counted(c.Usage.InputTokens+c.Usage.OutputTokens, "token"), c.Timing.WallS)},
		}
		if c.Rejected != nil {
			out = append(out, namedFact{"rejected", shorten(*c.Rejected)})
		}
		if c.Cause != nil {
			out = append(out, namedFact{"cause", shorten(*c.Cause)})
		}
		return out
	}
	return []namedFact{{"outcome", "the trace was interrupted and has no end"}}
}
