package reports

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
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

// WriteChat writes chat.md into a run's folder: every conversation, as Markdown, by query
// and trace. It returns ErrTooManyTraces above MaxChatTraces.
func WriteChat(run *store.Run) error {
	byTrace := map[trace.ID][]store.Exchange{}
	for x, err := range run.Exchanges() {
		if err != nil {
			return fmt.Errorf("write chat.md: %w", err)
		}
		id := trace.ID{Agent: x.Agent, Query: x.Query, Trace: x.Trace}
		byTrace[id] = append(byTrace[id], x)
		if len(byTrace) > MaxChatTraces {
			return ErrTooManyTraces
		}
	}
	ids := make([]trace.ID, 0, len(byTrace))
	for id := range byTrace {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, func(a, b trace.ID) int {
		return cmp.Or(cmp.Compare(a.Agent, b.Agent), cmp.Compare(a.Query, b.Query), cmp.Compare(a.Trace, b.Trace))
	})
	var b bytes.Buffer
	fmt.Fprintf(&b, "# Conversations of %s\n\nTraces that a guard refused have no conversation. Settings of requests stand in chat.jsonl.\n", run.Manifest.Run)
	for _, id := range ids {
		conversation(&b, id, byTrace[id])
	}
	return store.WriteFile(filepath.Join(run.Dir, "chat.md"), b.Bytes())
}

func conversation(b *bytes.Buffer, id trace.ID, exchanges []store.Exchange) {
	fmt.Fprintf(b, "\n## %s, trace %d\n", id.Query, id.Trace)
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
		title += " (" + m.ToolCallID + ")"
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
