package transcript

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/judge/checking"
	"github.com/seed-5817661a/concur/reports/document"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

// indent precedes lines of quoted text.
const indent = "    "

// Write writes the events of one trace as plain text, in the order in which they happened. If full is not set,
// a document that was already shown appears again only with its title.
func Write(w io.Writer, id trace.ID, events []trace.Event, full bool) error {
	return TracedEvents{ID: id, Events: events}.Write(w, full)
}

func eventsInSteps(b *bytes.Buffer, events []trace.Event, full bool, marks Marks) {
	step, path := -1, ""
	seen := map[string]bool{}
	for i, e := range events {
		if end, is := e.Body.(trace.Conclusion); is && end.Turns != nil {
			b.WriteString("\nthe whole conversation\n")
		} else if e.Step != step || e.Path != path {
			step, path = e.Step, e.Path
			fmt.Fprintf(b, "\nstep %d", step)
			if path != "" { // an event of a sub-agent
				fmt.Fprintf(b, " of %s", document.Printable(path))
			}
			b.WriteString("\n")
		}
		if o, is := e.Body.(trace.Observation); is && o.Error == nil {
			writeObservation(b, o, seen)
			if full {
				clear(seen)
			}
		} else {
			writeEvent(b, e.Body)
		}
		marks.write(b, i)
	}
}

func writeEvent(b *bytes.Buffer, body trace.Body) {
	switch e := body.(type) {
	case trace.Thought:
		writeBlock(b, cmp.Or(e.Kind, "thought"), e.Content)
	case trace.Action:
		fmt.Fprintf(b, "  action       %s %s  (%s)\n", document.Printable(e.Name),
			document.Printable(string(e.Input)), document.Printable(e.CallID))
	case trace.Observation:
		writeObservation(b, e, map[string]bool{})
	case trace.Reflection:
		writeBlock(b, document.Printable(e.Task), e.Content)
	case trace.Guard:
		fmt.Fprintf(b, "  guard        %s: %s (%s)\n", document.Printable(e.Rule),
			document.Printable(e.Decision), document.Printable(e.Detail))
	case trace.Audit:
		writeAudit(b, e)
	case trace.Conclusion:
		if e.Turns == nil { // a conversation only repeats the messages of its turns
			writeMessage(b, e)
		}
		answer := "none"
		if e.Answer != nil {
			answer = document.Printable(*e.Answer)
		}
		fmt.Fprintf(b, "  outcome      %s, stop reason %s, answer %s (extracted: %s)\n",
			document.Printable(string(e.Outcome)),
			document.Printable(string(e.StopReason)), answer, document.Printable(e.Extract))
		if e.Cause != nil {
			writeBlock(b, "cause", *e.Cause)
		}
	case trace.Extraction:
		writeExtraction(b, e)
	case trace.Unknown:
		fmt.Fprintf(b, "  %-12s %s  (this version of concur does not know such events)\n",
			document.Printable(e.Name), document.Printable(Compact(e.Line)))
	}
}

// writeMessage writes the final message, or the rejected one.
func writeMessage(b *bytes.Buffer, e trace.Conclusion) {
	writeRejected(b, e)
	if e.Message != "" && e.StopReason != trace.Ungrounded { // an ungrounded message is shown as rejected
		writeBlock(b, "final", e.Message)
	}
}

// writeRejected writes the answer that the citation audit rejected, if no correction replaced it.
func writeRejected(b *bytes.Buffer, e trace.Conclusion) {
	switch {
	case e.Rejected != nil:
		writeBlock(b, "rejected", *e.Rejected)
	case e.StopReason == trace.Ungrounded: // a run that is older than the field Rejected
		writeBlock(b, "rejected", e.Message)
	}
}

func writeExtraction(b *bytes.Buffer, e trace.Extraction) {
	answer := "none"
	if e.Answer != nil {
		answer = document.Printable(*e.Answer)
	}
	fmt.Fprintf(b, "  read         by %s for %s: answer %s (extracted: %s)\n", document.Printable(e.Model),
		document.Printable(e.Configuration), answer, document.Printable(e.Extract))
	if e.Cause != nil {
		writeBlock(b, "cause", *e.Cause)
	}
}

func writeAudit(b *bytes.Buffer, a trace.Audit) {
	grounded := "grounded"
	if !a.Grounded {
		grounded = "not grounded"
	}
	fmt.Fprintf(b, "  audit        %s: %s, %s valid\n", grounded, text.Counted(a.Claims, "claim"),
		text.CountedOf(a.Valid, a.Citations, "citation"))
	for _, p := range a.Problems {
		fmt.Fprintf(
			b,
			"%s%s %s: %s\n",
			indent,
			document.Printable(p.Check),
			document.Printable(p.Level),
			document.Printable(p.Detail),
		)
	}
}

// writeObservation writes the result of a call. Documents that were seen before are shown only by title.
func writeObservation(b *bytes.Buffer, o trace.Observation, seen map[string]bool) {
	gave := Compact(o.Output)
	switch {
	case o.Error != nil:
		gave, o.Documents = *o.Error, nil
	case len(o.Documents) > 0:
		gave = text.Counted(len(o.Documents), "document")
	}
	fmt.Fprintf(
		b,
		"  observation  %s  (%s, %.1f ms)\n",
		document.Printable(gave),
		document.Printable(o.CallID),
		o.DurationMS,
	)
	for _, d := range o.Documents {
		fmt.Fprintf(b, "%s[%s] %s, score %.2f ", indent, d.ID, document.Printable(d.Title), d.Score)
		if seen[d.ID+d.Snippet] {
			b.WriteString("(shown above)\n")
			continue
		}
		seen[d.ID+d.Snippet] = true
		fmt.Fprintf(b, "(%s)\n%s  %s\n", document.Printable(d.Source), indent, document.Printable(d.Snippet))
	}
}

// writeBlock writes a label and a text that may have several lines.
func writeBlock(b *bytes.Buffer, label, text string) {
	head := fmt.Sprintf("  %-12s ", label)
	for line := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
		b.WriteString(strings.TrimRight(head+document.Printable(line), " ") + "\n")
		head = strings.Repeat(" ", 15)
	}
}

// Compact returns JSON without spaces. Text that is not JSON is returned unchanged.
func Compact(raw json.RawMessage) string {
	var b bytes.Buffer
	if err := json.Compact(&b, raw); err != nil {
		return string(raw)
	}
	return b.String()
}

// WriteRecord writes the result of the K traces of a query, as plain text.
func WriteRecord(w io.Writer, r store.Record) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s (%s)", document.Printable(r.Query), document.Printable(r.Category))
	if r.Configuration != config.DefaultName { // not the only configuration
		fmt.Fprintf(&b, ", configuration %s", document.Printable(r.Configuration))
	}
	b.WriteString("\n")
	fmt.Fprintf(&b, "question   %s\n", document.Printable(r.Question))
	if r.Expected != "" {
		fmt.Fprintf(&b, "expected   %s\n", document.Printable(r.Expected))
	}
	fmt.Fprintf(&b, "consensus  %s: %s\n", r.Consensus.Method, document.Printable(r.Decided()))
	for _, v := range r.Consensus.Votes {
		fmt.Fprintf(&b, "  vote     %s: traces %s\n", document.Printable(checking.Class(v.Key)),
			strings.Trim(fmt.Sprint(v.Traces), "[]"))
	}
	for _, a := range r.Answers {
		if !a.Outcome.Votes() {
			fmt.Fprintf(&b, "  no vote  trace %d: %s (%s)\n", a.Trace, a.Outcome, a.StopReason)
		}
	}
	writeChecks(&b, r)
	fmt.Fprintf(&b, "verdict    %s by %s: %s\n", r.Verdict.Verdict, r.Verdict.By, document.Printable(r.Verdict.Reason))
	if len(r.Turns) == 0 {
		writeJudged(&b, "", Judged(r))
	} else {
		writeTurns(&b, r)
	}
	_, err := w.Write(b.Bytes())
	return err
}

func writeJudged(b *bytes.Buffer, indent string, all []Judgement) {
	for _, j := range all {
		fmt.Fprintf(b, "%sjudged     %s\n", indent, document.Printable(j.By+": "+j.Text))
	}
}

// writeTurns writes the results of the turns of a conversation.
func writeTurns(b *bytes.Buffer, r store.Record) {
	if l := r.Label; l != nil {
		writeJudged(b, "", Judged(store.Record{Label: l}))
	}
	for n, t := range r.ByTurn() {
		fmt.Fprintf(b, "turn %d     %s\n", n+1, document.Printable(t.Question))
		fmt.Fprintf(b, "  expected   %s\n", document.Printable(t.Expected))
		fmt.Fprintf(b, "  consensus  %s: %s\n", t.Consensus.Method, document.Printable(t.Decided()))
		writeChecks(b, t)
		fmt.Fprintf(b, "  verdict    %s by %s: %s\n", t.Verdict.Verdict, t.Verdict.By, document.Printable(t.Verdict.Reason))
		writeJudged(b, "  ", Judged(t))
	}
}

// Judgement is the judgement of one judge on a record, as text.
type Judgement struct{ By, Text string }

// Judged returns the judgements on a record, among them the verdict before a person's label.
func Judged(r store.Record) []Judgement {
	var out []Judgement
	add := func(by string, v judge.Verdict, more string) {
		out = append(out, Judgement{by, string(v.Verdict) + ": " + v.Reason + more})
	}
	if l := r.Label; l != nil {
		add("before the label of "+l.Author, l.Before, "")
	}
	j := r.Judgements
	if j == nil {
		return out
	}
	if c := j.Correctness; c != nil {
		add("correctness by "+c.Judge, c.Verdict, "")
		for _, o := range slices.Concat(c.Members, c.Repeats) {
			add("  "+o.Judge, judge.Verdict{Verdict: o.Verdict, Reason: o.Reason}, "")
		}
	}
	for _, q := range j.Quality {
		add("quality by "+q.Judge, q.Verdict, fmt.Sprintf(" (trace %d)", q.Trace))
	}
	for _, item := range j.Rubric {
		more := ""
		if item.Quote != "" {
			more = fmt.Sprintf(", because of %q (%s)", item.Quote, item.Entry)
		}
		if item.LeftOut > 0 {
			more += "; " + text.Counted(item.LeftOut, "entry") + " of the trace left out"
		}
		add(item.Item+" by "+item.Judge, item.Verdict, more)
	}
	return out
}

func firstStep(events []trace.Event) int {
	if len(events) == 0 {
		return 0
	}
	return events[0].Step
}
