package export

import (
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"iter"
	"slices"

	"github.com/seed-5817661a/concur/internal/lines"
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

// Counts counts the traces of a run by the result of Chats: exported, or left out for a reason.
type Counts struct {
	Traces  int
	Written int // chats that were written
	// Wrong, Ungrounded, Outvoted and Silent count traces that were left out; each trace is counted for the
	// first reason that applies. Silent traces have no model call, because a guard refused the query. Repeated
	// counts chats that are equal to an earlier one.
	Wrong, Ungrounded, Outvoted, Silent, Repeated int
	// Useless counts calls that were removed. InText counts chats that were left out because a useless call is in the
	// text of a message, and Cited those whose last message cites a removed result. Unscored counts calls without a
	// gain, which were kept. All are 0 unless useless calls are left out; then OnlyUseful is set.
	Useless, InText, Cited, Unscored int
	OnlyUseful                       bool
}

func (c Counts) String() string {
	out := fmt.Sprintf("%s of %s; left out: %d not right, %d with citations that fail the audit, %d outvoted, %d "+
		"without a model call, %d like an earlier one",
		text.Counted(c.Written, "chat"), text.Counted(c.Traces, "trace"), c.Wrong, c.Ungrounded, c.Outvoted,
		c.Silent, c.Repeated)
	if c.OnlyUseful {
		out += fmt.Sprintf(", %d with a useless call in their text, %d that cite a useless call; %s removed; %d "+
			"without a gain kept", c.InText, c.Cited, text.Counted(c.Useless, "useless call"), c.Unscored)
	}
	return out
}

// Chats writes the right traces of a run for fine-tuning, one JSON object a line in OpenAI's form of chats with
// tools: {"messages": […], "tools": […]}. A trace is written if the gold finds its answer right, its citations
// passed the audit or were not audited, and more than half of the K traces agree with it. If the agent held
// several conversations in a trace, each is a chat. With useful, calls whose gain does not reach its threshold are
// removed together with their results; nil keeps all calls.
func Chats(w io.Writer, run *store.Run, configuration string, useful *Useful) (Counts, error) {
	counts := Counts{OnlyUseful: useful != nil}
	traces, err := run.Traces(context.Background())
	if err != nil {
		return counts, err
	}
	defer traces.Close() // only read
	written := map[[sha256.Size]byte]bool{}
	for id, err := range choose(run, configuration, &counts) {
		if err != nil {
			return counts, err
		}
		exchanges, err := traces.Exchanges(
			model.Identity{Agent: id.Agent, Query: id.Query, Trace: id.Trace, Purpose: model.Agent})
		conversations := map[string][]store.Exchange{} // by turn and task
		var tasks []string
		for _, x := range exchanges {
			if !model.IsOwnPath(x.Path) { // the answer of a sub-agent has no verdict
				continue
			}
			task := x.Path + " " + x.Task
			if conversations[task] == nil {
				tasks = append(tasks, task)
			}
			conversations[task] = append(conversations[task], x)
		}
		if len(tasks) == 0 {
			counts.Silent++
		}
		for _, task := range tasks {
			var line []byte
			var without pruned
			if line, without, err = chat(conversations[task], useful); err != nil {
				break
			}
			if without.inText {
				counts.InText++
				continue
			}
			if without.uncited {
				counts.Cited++
				continue
			}
			if sum := sha256.Sum256(line); written[sum] {
				counts.Repeated++
			} else if _, err := w.Write(line); err != nil {
				return counts, fmt.Errorf("write chats: %w", err)
			} else {
				written[sum] = true
				counts.Written++
				counts.Useless += without.removed
				counts.Unscored += without.unscored
			}
		}
		if err != nil {
			return counts, fmt.Errorf("read the conversation of %s trace %d: %w", id.Query, id.Trace, err)
		}
	}
	return counts, nil
}

// choose gives the traces to write, each once, and counts all traces.
func choose(run *store.Run, configuration string, counts *Counts) iter.Seq2[trace.ID, error] {
	return func(yield func(trace.ID, error) bool) {
		seen := map[trace.ID]bool{} // of agents with several configurations
		for r, err := range run.Records() {
			if err != nil {
				yield(trace.ID{}, err)
				return
			}
			if configuration != "" && r.Configuration != configuration {
				continue
			}
			var winners []int
			if votes := r.Consensus.Votes; len(votes) > 0 && 2*len(votes[0].Traces) > len(r.Answers) {
				winners = votes[0].Traces
			}
			for _, a := range r.Answers {
				if !counts.take(a, winners) {
					continue
				}
				id := trace.ID{Agent: r.Agent, Query: r.Query, Trace: a.Trace}
				if seen[id] {
					continue
				}
				if len(run.Manifest.Configurations) > 1 {
					seen[id] = true
				}
				if !yield(id, nil) {
					return
				}
			}
		}
	}
}

// take counts a trace, and reports whether its chat is to be written. winners are the traces that agree with the
// decision, if they are more than half.
func (c *Counts) take(a store.Answer, winners []int) bool {
	c.Traces++
	switch {
	case a.Verdict != judge.Correct:
		c.Wrong++
	case a.Grounded != nil && !*a.Grounded:
		c.Ungrounded++
	case !slices.Contains(winners, a.Trace):
		c.Outvoted++
	default:
		return true
	}
	return false
}

// turn is a message in OpenAI's form of chats.
type turn struct {
	Role    model.Role `json:"role"`
	Content string     `json:"content"`
	Calls   []object   `json:"tool_calls,omitempty"`
	Answers string     `json:"tool_call_id,omitempty"`
}

// chat returns a conversation as one line of JSON. With useful, it has no useless calls.
func chat(conversation []store.Exchange, useful *Useful) (_ []byte, without pruned, _ error) {
	var messages []model.Message
	var tools []model.ToolSpec
	for _, x := range conversation {
		var err error
		if _, messages, err = x.Conversation(messages); err != nil {
			return nil, without, err
		}
		if x.RequestSettings != nil {
			tools = x.RequestSettings.Tools
		}
	}
	if of := conversation[0].Identity; useful != nil && of.Task == "" { // side requests have no calls
		id := trace.ID{Agent: of.Agent, Query: of.Query, Trace: of.Trace}
		without = useful.prune(of.Path, messages, useful.Scores.Of(id))
		messages = without.messages
	}
	var turns []turn
	var offered []object
	for _, m := range messages {
		var calls []object
		for _, c := range m.ToolCalls {
			calls = append(calls, object{"id": c.ID, "type": "function",
				"function": object{"name": c.Name, "arguments": cmp.Or(c.Arguments, "{}")}})
		}
		if n := len(turns); n > 0 && m.Role == model.Assistant && turns[n-1].Role == m.Role && turns[n-1].Calls == nil {
			turns[n-1].Content += m.Content // the reply goes on with a text, as in the protocol inline
			turns[n-1].Calls = calls
			continue
		}
		turns = append(turns, turn{m.Role, m.Content, calls, m.ToolCallID})
	}
	for _, t := range tools {
		offered = append(offered, object{"type": "function",
			"function": object{"name": t.Name, "description": t.Description, "parameters": t.Parameters}})
	}
	out := object{"messages": turns}
	if len(offered) > 0 {
		out["tools"] = offered
	}
	line, err := lines.Encode(out)
	return append(line, '\n'), without, err
}
