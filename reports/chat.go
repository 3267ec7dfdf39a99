package reports

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/runner/model"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/trace"
)

// MaxChatTraces is the number of traces up to which a run gets a chat.md; beyond, single
// traces are shown on demand.
const MaxChatTraces = 200

// ErrTooManyTraces says that a run is too large for a chat.md.
var ErrTooManyTraces = errors.New("run has too many traces for one document")

// conversation names what exchanges belong together: a trace of the agent, or what
// verifier or judges were asked about a query.
type conversation struct {
	trace.ID
	purpose model.Purpose
}

// WriteChat writes chat.md into a run's folder: every conversation, as Markdown, by
// query, the agent's traces first. It returns ErrTooManyTraces above MaxChatTraces.
func WriteChat(run *store.Run) error {
	exchanges := map[conversation][]store.Exchange{}
	traces := 0
	for x, err := range run.Exchanges() {
		if err != nil {
			return fmt.Errorf("write chat.md: %w", err)
		}
		c := conversation{trace.ID{Agent: x.Agent, Query: x.Query, Trace: x.Trace}, x.Purpose}
		if x.Purpose == model.Agent && exchanges[c] == nil {
			traces++
		}
		if traces > MaxChatTraces {
			return ErrTooManyTraces
		}
		exchanges[c] = append(exchanges[c], x)
	}
	order := slices.SortedFunc(maps.Keys(exchanges), func(a, b conversation) int {
		return cmp.Or(cmp.Compare(a.Query, b.Query), cmp.Compare(a.purpose, b.purpose), cmp.Compare(a.Agent, b.Agent), cmp.Compare(a.Trace, b.Trace))
	})
	var b bytes.Buffer
	fmt.Fprintf(&b, "# Conversations of %s\n\nTraces that a guard refused have no conversation. Settings of requests stand in chat.jsonl.\n", run.Manifest.Run)
	for _, c := range order {
		fmt.Fprintf(&b, "\n## %s, %s\n", c.Query, c.title())
		tell(&b, exchanges[c])
	}
	return store.WriteFile(filepath.Join(run.Dir, "chat.md"), b.Bytes())
}

// title is who was asked: for verifier and judges, the part of their name that says which.
func (c conversation) title() string {
	if c.purpose == model.Agent {
		return fmt.Sprintf("trace %d", c.Trace)
	}
	who, _, _ := strings.Cut(c.Agent, ":")
	return "asked: " + who
}

func tell(b *bytes.Buffer, exchanges []store.Exchange) {
	for _, x := range exchanges {
		for _, m := range x.Messages {
			message(b, m)
		}
		if x.Response != nil {
			message(b, *x.Response)
		}
		if x.Error != nil {
			fmt.Fprintf(b, "\n**error**\n\n%s", fence(*x.Error))
		}
	}
}

func message(b *bytes.Buffer, m model.Message) {
	title := string(m.Role)
	if m.ToolCallID != "" {
		title += " (" + Clean(m.ToolCallID) + ")"
	}
	fmt.Fprintf(b, "\n**%s**\n", title)
	if m.Content != "" {
		fmt.Fprintf(b, "\n%s", fence(m.Content))
	}
	for _, c := range m.ToolCalls {
		fmt.Fprintf(b, "\n%s", fence(fmt.Sprintf("%s: %s(%s)", c.ID, c.Name, c.Arguments)))
	}
}

// fence quotes text in a code block that the text itself cannot end.
func fence(text string) string {
	longest, run := 0, 0
	for _, r := range text {
		if run++; r != '`' {
			run = 0
		}
		longest = max(longest, run)
	}
	ticks := strings.Repeat("`", max(3, longest+1))
	return ticks + "text\n" + strings.TrimRight(text, "\n") + "\n" + ticks + "\n"
}
