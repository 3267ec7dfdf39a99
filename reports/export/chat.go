package export

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/reports/document"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

// MaxChatTraces is the maximum number of traces of a run that Chat writes.
const MaxChatTraces = 200

// ErrTooManyTraces is the error of Chat for a run with more than MaxChatTraces traces.
var ErrTooManyTraces = fmt.Errorf("it has more than %d traces, too many for one document: read single traces with "+
	"`concur trace RUN QUERY`", MaxChatTraces)

// conversation identifies exchanges that belong together: those of a trace, or those of a verifier or a judge
// about a query.
type conversation struct {
	trace.ID
	purpose model.Purpose
}

// Chat writes all conversations of a run as Markdown, query by query. For each query, the agent's conversations
// come first. If the run has more than MaxChatTraces traces, it writes nothing and returns ErrTooManyTraces.
func Chat(w io.Writer, run *store.Run) error {
	exchanges := map[conversation][]store.Exchange{}
	traces := 0
	for x, err := range run.Exchanges() {
		if err != nil {
			return fmt.Errorf("export the chats of run %s: %w", run.Manifest.Run, err)
		}
		c := conversation{trace.ID{Agent: x.Agent, Query: x.Query, Trace: x.Trace}, x.Purpose}
		if x.Purpose == model.Agent && exchanges[c] == nil {
			traces++
		}
		if traces > MaxChatTraces {
			return fmt.Errorf("export the chats of run %s: %w", run.Manifest.Run, ErrTooManyTraces)
		}
		exchanges[c] = append(exchanges[c], x)
	}
	order := slices.SortedFunc(maps.Keys(exchanges), func(a, b conversation) int {
		return cmp.Or(cmp.Compare(a.Query, b.Query), cmp.Compare(a.purpose, b.purpose), cmp.Compare(a.Agent, b.Agent),
			cmp.Compare(a.Trace, b.Trace))
	})
	d := chatDocument{run: run, instructions: map[string]int{}}
	fmt.Fprintf(&d.out, "# Conversations of %s\n\nTraces that a guard refused have no conversation. Settings of "+
		"requests are in chat.jsonl.\n", document.Clean(run.Manifest.Run))
	if err := d.index(); err != nil {
		return fmt.Errorf("export the chats of run %s: %w", run.Manifest.Run, err)
	}
	for _, c := range order {
		fmt.Fprintf(&d.out, "\n## %s, %s%s\n", document.Clean(c.Query), d.configuration(c), c.title())
		d.conversation(exchanges[c])
	}
	_, err := w.Write(d.out.Bytes())
	return err
}

// chatDocument is the state of Chat.
type chatDocument struct {
	run          *store.Run
	out          bytes.Buffer
	instructions map[string]int // the number of each system prompt that was written
}

// index lists the verdict of each query, and its answer next to the expected one.
func (d *chatDocument) index() error {
	several := len(d.run.Manifest.Configurations) > 1
	heading := "\n## Verdicts\n\n"
	for r, err := range d.run.Records() {
		if err != nil {
			return err
		}
		d.out.WriteString(heading + "- " + document.Clean(r.Query))
		heading = ""
		if several {
			d.out.WriteString(", " + document.Clean(r.Configuration))
		}
		fmt.Fprintf(&d.out, ": **%s** (%s)", r.Verdict.Verdict, document.Clean(r.Verdict.Reason))
		if r.Consensus.Answer != nil {
			fmt.Fprintf(&d.out, ", answer `%s`", strings.ReplaceAll(document.Clean(*r.Consensus.Answer), "`", "'"))
		}
		d.out.WriteByte('\n')
	}
	return nil
}

// configuration returns the first configuration of the conversation's agent, if the run has several.
func (d *chatDocument) configuration(c conversation) string {
	if all := d.run.Manifest.Configurations; len(all) > 1 && c.purpose == model.Agent {
		if i := slices.IndexFunc(all, func(x store.Configuration) bool { return x.Agent == c.Agent }); i >= 0 {
			return document.Clean(all[i].Name) + ", "
		}
	}
	return ""
}

// title names the model's role in the conversation.
func (c conversation) title() string {
	if c.purpose == model.Agent {
		return fmt.Sprintf("trace %d", c.Trace)
	}
	who, _, _ := strings.Cut(c.Agent, ":")
	return "asked: " + who
}

func (d *chatDocument) conversation(exchanges []store.Exchange) {
	for _, x := range exchanges {
		for _, m := range x.Messages {
			d.message(m)
		}
		if x.Response != nil {
			d.message(*x.Response)
		}
		if x.Error != nil {
			fmt.Fprintf(&d.out, "\n**error**\n\n%s", document.Fence(*x.Error))
		}
	}
}

// message writes a message. A system prompt is written in full only once, then by its number.
func (d *chatDocument) message(m model.Message) {
	title := string(m.Role)
	if m.Role == model.System {
		number, written := d.instructions[m.Content]
		if written {
			fmt.Fprintf(&d.out, "\n**system**: instructions %d, as above\n", number)
			return
		}
		d.instructions[m.Content] = len(d.instructions) + 1
		title = fmt.Sprintf("system, instructions %d", len(d.instructions))
	}
	if m.ToolCallID != "" {
		title += " (" + document.Clean(m.ToolCallID) + ")"
	}
	fmt.Fprintf(&d.out, "\n**%s**\n", title)
	if m.Content != "" {
		fmt.Fprintf(&d.out, "\n%s", document.Fence(m.Content))
	}
	for _, c := range m.ToolCalls {
		fmt.Fprintf(&d.out, "\n%s", document.Fence(fmt.Sprintf("%s: %s(%s)", c.ID, c.Name, c.Arguments)))
	}
}
