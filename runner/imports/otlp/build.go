package otlp

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/trace"
)

// part is a span of a conversation.
type part struct {
	entry
	content
	parent *part
	agent  *part // the nearest agent above that the conversation's agent called; nil without one
	tool   *part // the nearest call of a tool above; nil without one
	placed bool  // agent and tool are known
	own    bool  // the span belongs to the conversation's own agent, and not to one that it called
	logs   []content
}

// builder makes a conversation of spans.
type builder struct {
	store   *Store
	entries []entry // of the trace
	unit    unit
	out     *Conversation
	root    *part
	parts   []*part // in the order of time
	chat    []message
	begun   bool                       // chat begins with the question
	found   map[*part][]trace.Document // by the call above the search
}

func (b *builder) read() error {
	if err := b.load(); err != nil {
		return err
	}
	if err := b.attributes(); err != nil {
		return err
	}
	b.timing()
	final := b.messages()
	b.usage()
	if b.out.Failure == "" && b.root.Failed && final == "" {
		b.out.Failure = cmp.Or(b.root.Status, b.root.text("error"), "the span ended with an error")
	}
	b.out.Message = final
	b.events()
	if final == "" && b.out.Failure == "" {
		b.out.Missing = b.missing()
		b.out.Step = b.root.kind == modelKind && len(b.chat) > 0 && len(b.chat[len(b.chat)-1].calls) > 0
	}
	return nil
}

// load reads the spans from the temporary file, and then the log records, which may come before their spans.
func (b *builder) load() error {
	byID := map[[8]byte]*part{}
	for _, logs := range []bool{false, true} {
		for _, i := range b.unit.members {
			e := b.entries[i]
			if e.log != logs || e.log && byID[e.id] == nil {
				continue
			}
			c, err := b.store.content(e)
			if err != nil {
				return err
			}
			if e.log {
				byID[e.id].logs = append(byID[e.id].logs, c)
				continue
			}
			byID[e.id] = &part{entry: e, content: c}
			b.parts = append(b.parts, byID[e.id])
			if i == b.unit.root {
				b.root = byID[e.id]
			}
		}
	}
	for _, p := range b.parts {
		if p != b.root {
			p.parent = byID[p.entry.parent]
		}
	}
	b.root.placed, b.root.own = true, true
	for _, p := range b.parts {
		b.findAbove(p)
	}
	return nil
}

// findAbove finds the agent and the tool above a span, and of the spans between.
func (b *builder) findAbove(p *part) {
	var path []*part
	for ; p != nil && !p.placed; p = p.parent {
		p.placed = true // also ends a cycle
		path = append(path, p)
	}
	for _, p := range slices.Backward(path) {
		if above := p.parent; above != nil && above != b.root {
			p.agent, p.tool = above.agent, above.tool
			switch above.kind {
			case agentKind:
				p.agent = above
			case toolKind:
				p.tool = above
			}
		}
		// The agents of a workflow answer together.
		p.own = b.root.kind == workflowKind || p.agent == nil && p.kind != agentKind
	}
}

// attributes reads what the program recorded about the query: at the root, above it, or below it.
func (b *builder) attributes() error {
	places := []content{b.root.content}
	for _, i := range b.unit.above {
		c, err := b.store.content(b.entries[i])
		if err != nil {
			return err
		}
		places = append(places, c)
	}
	for _, p := range b.parts {
		places = append(places, p.content)
	}
	of := func(field string) string {
		for _, c := range places {
			if v := b.store.mappedText(c, field); v != "" {
				return v
			}
		}
		return ""
	}
	o := b.out
	o.ID, o.Gold, o.Category, o.Configuration = of("id"), of("gold"), of("category"), of("configuration")
	o.Session, o.Question = of("session"), of("query")
	if n, err := strconv.Atoi(of("index")); err == nil && n >= 0 {
		o.Index = n
	}
	if b.root.kind == agentKind || b.root.kind == workflowKind {
		o.Agent = cmp.Or(b.root.text("agent"), b.root.Name)
	}
	for _, p := range b.parts {
		name, provider := p.text("model"), p.text("provider")
		if name != "" && (p.own && p.kind == modelKind || o.Model == "") {
			if o.Model = name; provider != "" {
				o.Model = provider + ":" + name
			}
			if p.kind == modelKind {
				break
			}
		}
	}
	return nil
}

func (b *builder) timing() {
	if e := b.root.entry; e.isTimed() {
		b.out.Seconds = float64(e.end-e.start) / 1e9
	}
}

// usage adds up the tokens of requests; without them it takes those of the root.
func (b *builder) usage() {
	of := func(c content) model.Usage {
		return model.Usage{InputTokens: c.number("input_tokens"), OutputTokens: c.number("output_tokens"),
			CachedTokens: c.number("cached_tokens"), CacheWriteTokens: c.number("written_tokens"),
			ReasoningTokens: c.number("reasoning_tokens")}
	}
	for _, p := range b.parts {
		if p.kind == modelKind {
			b.out.ModelCalls++
			b.out.Usage = b.out.Usage.Add(of(p.content))
		}
	}
	if b.out.Usage == (model.Usage{}) {
		b.out.Usage = of(b.root.content)
	}
}

// messages finds the question, the conversation after it and the final message.
func (b *builder) messages() (final string) {
	mapped := b.out.Question
	root := b.root
	in, out := root.messages()
	if all := messagesOf(root.value("all_messages"), "user"); len(all) > 0 {
		in, out = all, nil
	}
	if root.kind != modelKind && len(in) > 0 {
		b.ask(in)
	}
	recorded := ""
	if !b.begun && root.kind != modelKind {
		recorded = root.recordedInput()
	}
	took := len(b.chat)
	for _, p := range b.parts {
		if p.kind == modelKind && p.own && took <= 1 { // else the root has the whole conversation
			b.request(p)
		}
	}
	if root.kind != modelKind {
		if final = lastOf(out, "assistant"); final == "" && len(out) == 0 && took > 1 && len(b.chat) == took {
			final = lastOf(b.chat[len(b.chat)-1:], "assistant")
		}
		if final == "" {
			final = b.store.mappedText(root.content, "output")
		}
		if final == "" && b.store.options.Fields["output"] == "" && len(out) == 0 {
			final = root.recordedOutput()
		}
	}
	if n := len(b.chat); final == "" && n > 0 && !root.Failed {
		if m := b.chat[n-1]; m.role == "assistant" && len(m.calls) == 0 {
			final = m.text
		}
	}
	o := b.out
	if o.Question = cmp.Or(mapped, recorded); o.Question == "" && len(b.chat) > 0 {
		o.Question = b.chat[0].text
	}
	if recorded != "" && len(b.chat) > 0 && b.chat[0].text != recorded {
		o.History = nil // the question was rewritten for the model
	}
	return strings.TrimSpace(final)
}

// ask begins the conversation with the last question of messages.
func (b *builder) ask(in []message) {
	history, rest := question(in)
	if len(rest) == 0 {
		return
	}
	b.chat, b.begun = slices.Clone(rest), true
	for _, m := range history {
		b.out.History = append(b.out.History, datasets.Turn{Role: m.role, Content: m.text})
	}
}

// missing explains why a conversation has no final message.
func (b *builder) missing() string {
	switch n := len(b.chat); {
	case n > 0 && len(b.chat[n-1].calls) > 0:
		return "the last recorded reply calls tools, and no final message follows"
	case n > 0 && b.chat[n-1].role == "tool":
		return "the last recorded message is the result of a tool, and no final message follows"
	}
	return "the spans have no final message: let the program record the content of messages"
}
