package otel

import (
	"encoding/json"
	"strings"
	"unicode/utf8"

	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/trace"
)

// maxContent is the maximum length in characters of one text of content. maxMessages is that of the texts of messages
// together, because JSON escapes and names need room, too. maxName is the maximum length of a span's name, which may
// have a name that a model invented.
const (
	maxContent  = 8 << 10
	maxMessages = maxContent / 2
	maxName     = 256
)

// valid returns a text in UTF-8. OTLP allows nothing else: a message with other bytes cannot be encoded.
func valid(s string) string {
	if utf8.ValidString(s) { // strings.ToValidUTF8 reads a text character by character
		return s
	}
	return strings.ToValidUTF8(s, "\uFFFD")
}

// usage writes the tokens that are known.
func (w *writer) usage(u model.Usage) {
	for _, of := range []struct {
		name   string
		tokens int
	}{
		{inputTokens, u.InputTokens}, {outputTokens, u.OutputTokens}, {cacheRead, u.CachedTokens},
		{cacheWrite, u.CacheWriteTokens}, {cacheCreation, u.CacheWriteTokens}, {reasoning, u.ReasoningTokens},
	} {
		if of.tokens > 0 {
			w.number(of.name, of.tokens)
		}
	}
}

// label returns the label of a verdict; "" for an unknown verdict.
func label(r judge.Ruling) string {
	switch r {
	case judge.Correct:
		return "pass"
	case judge.Incorrect:
		return "fail"
	case judge.Unscored:
		return "unscored"
	}
	return ""
}

// score writes the value of a verdict, 1 or 0. It writes nothing for a verdict that decides nothing.
func (w *writer) score(r judge.Ruling) {
	switch r {
	case judge.Correct:
		w.decimal(scoreValue, 1)
	case judge.Incorrect:
		w.decimal(scoreValue, 0)
	}
}

// provider returns the provider of a model in a configuration: openai of openai:gpt-4o.
func provider(spec string) string {
	name, _, _ := strings.Cut(spec, ":")
	return name
}

// maxKey is the length in bytes of the longest key. The search for keys reads a text up to this far behind the place
// at which the text is cut, because an agent can write megabytes. Then the end of what was read can be the beginning of
// a key; it is left out.
const maxKey = 2 << 10

// shown returns a text without keys, cut at n characters.
func (d *Describer) shown(s string, n int) string {
	if d.options.Hide == nil {
		return text.Clip(s, n)
	}
	end, long := within(s, n)
	hidden := d.options.Hide(s[:end])
	if long {
		hidden = hidden[:max(0, len(hidden)-maxKey)] + "…"
	}
	return text.Clip(hidden, n)
}

// maxPrompts is the number of system messages that are kept as they are sent, and maxPrompt the length in bytes of the
// longest of them.
const (
	maxPrompts = 64
	maxPrompt  = 64 << 10
)

// prompt returns a system message as shown does. It keeps up to maxPrompts of them, because most conversations of a run
// begin with the same long message, and the search for keys would read it each time.
func (d *Describer) prompt(s string, n int) string {
	if n != maxMessages || len(s) > maxPrompt { // the first message of a conversation has all the room
		return d.shown(s, n)
	}
	d.mu.Lock()
	shown, known := d.prompts[s]
	d.mu.Unlock()
	if known {
		return shown
	}
	shown = d.shown(s, n)
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.prompts) >= maxPrompts {
		clear(d.prompts)
	}
	d.prompts[s] = shown
	return shown
}

// within returns how many bytes of a text the search for keys reads; long means that the text has more.
func within(s string, n int) (end int, long bool) {
	characters := 0
	for at := range s {
		if characters > n {
			end = at + 2*maxKey
			return min(end, len(s)), end < len(s)
		}
		characters++
	}
	return len(s), false
}

// named returns a name that a model, a tool or a server gave, as shown does, but shorter. It is sent without content,
// too.
func (d *Describer) named(s string) string { return d.shown(s, maxName) }

// content returns a text of a model, a tool or the user as it is sent, without keys and cut at 8,192 characters.
func (d *Describer) content(s string) string { return d.shown(s, maxContent) }

// part is a part of a message in the form of the conventions.
type part struct {
	Type      string          `json:"type"`
	Content   string          `json:"content,omitempty"`
	ID        string          `json:"id,omitempty"`
	Name      string          `json:"name,omitempty"`
	Arguments json.RawMessage `json:"arguments,omitempty"`
	Response  string          `json:"response,omitempty"`
}

type message struct {
	Role  string `json:"role"`
	Parts []part `json:"parts"`
}

func userMessage(content string) model.Message {
	return model.Message{Role: model.User, Content: content}
}

// messages returns messages as JSON in the form of the conventions; "" if they have no content. Each text is cut
// before, so that the JSON stays whole.
func (d *Describer) messages(of ...model.Message) string {
	var out []message
	left := maxMessages
	clip := func(s string, show func(string, int) string) string {
		s = show(s, max(left, 1))
		left = max(0, left-len(s))
		return s
	}
	for _, m := range of {
		to := message{Role: string(m.Role)}
		switch {
		case left == 0:
			to.Parts = append(to.Parts, part{Type: "text", Content: "…"})
		case m.Role == model.System && m.Content != "":
			to.Parts = append(to.Parts, part{Type: "text", Content: clip(m.Content, d.prompt)})
		case m.Role == model.ToolRole:
			to.Parts = append(to.Parts, part{Type: "tool_call_response", ID: d.named(m.ToolCallID),
				Response: clip(m.Content, d.shown)})
		case m.Content != "":
			to.Parts = append(to.Parts, part{Type: "text", Content: clip(m.Content, d.shown)})
		}
		for _, c := range m.ToolCalls {
			arguments := trace.InputOf(clip(c.Arguments, d.shown))
			to.Parts = append(to.Parts, part{Type: "tool_call", ID: d.named(c.ID), Name: d.named(c.Name), Arguments: arguments})
		}
		if len(to.Parts) > 0 {
			out = append(out, to)
		}
	}
	return encoded(out)
}

// document is a found document in the form of the conventions.
type document struct {
	ID      string  `json:"id"`
	Score   float64 `json:"score"`
	Content string  `json:"content"`
}

// documentList returns the documents of a source as JSON.
func documentList(documents []trace.Document, source string) string {
	var out []document
	for _, doc := range documents {
		if doc.Backend == source {
			out = append(out, document{doc.Ref, doc.Score, doc.Snippet})
		}
	}
	return encoded(out)
}

// encoded returns a list as JSON; "" for an empty one.
func encoded[T any](list []T) string {
	if len(list) == 0 {
		return ""
	}
	raw, err := json.Marshal(list)
	if err != nil { // arguments that are no JSON, which trace.InputOf excludes
		return ""
	}
	return string(raw)
}
