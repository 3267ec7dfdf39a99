package offline

import (
	"cmp"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/offline/protocol"
)

// Names of the tools that the reader can use.
const (
	searchTool = "web_search"
	calcTool   = "calc"
)

// observation is an earlier tool call of the conversation and its result.
type observation struct {
	tool   string
	args   map[string]any
	text   string
	failed bool
}

// conversation has the parts of a request's messages that the reader uses.
type conversation struct {
	system   string
	question string
	seen     []observation
	// round is the number of the draw. It increases with each user message that rejects a final message, so
	// that the model draws again.
	round     int
	oneCall   bool   // a turn may have only one call
	must      string // the tool that must be called now, or ""
	explain   bool   // the next turn must first be explained with the tool explainer
	explainer string // the tool for explanations, or ""
	agent     string // the first tool that is an agent, or ""
	base      string // the first tool whose only argument is a query, such as a knowledge base, or ""
	complete  string // the tool that ends the trace with an answer, or ""
	advice    string // bullets of a playbook, one on each line
	offered   map[string]protocol.Arguments
	about     map[string]string   // descriptions of tools
	required  map[string][]string // required arguments of all tools of the request
	languages map[string][]string // of programs that a tool runs
	given     []document          // documents that came before the first turn
}

func (l *library) readConversation(req model.Request) conversation {
	c := conversation{system: protocol.Instructions(req.Messages), offered: map[string]protocol.Arguments{},
		about: map[string]string{}, required: map[string][]string{}, languages: map[string][]string{}}
	all := map[string]protocol.Arguments{}
	for _, t := range req.Tools {
		a := l.schemas.Get(string(t.Parameters), func() (a protocol.Arguments) {
			_ = json.Unmarshal(t.Parameters, &a)
			return a
		})
		all[t.Name], c.about[t.Name], c.required[t.Name] = a, t.Description, a.Required
		for _, language := range a.Properties["language"].Enum {
			c.languages[t.Name] = append(c.languages[t.Name], fmt.Sprint(language))
		}
		switch {
		case slices.Equal(a.Required, []string{"plan", "tool", "reason"}):
			c.explainer = t.Name
		case slices.Equal(a.Required, []string{"answer"}):
			c.complete = t.Name
		case slices.Equal(a.Required, []string{"task", "context", "reason"}):
			c.agent = cmp.Or(c.agent, t.Name)
		case t.Name == protocol.FinderTool: // it finds tools, not documents
		case slices.Equal(a.Required, []string{"query"}) && len(a.Properties) == 1:
			c.base = cmp.Or(c.base, t.Name)
		}
	}
	if c.explain = c.explainer != "" && req.Choice == model.ToolChoice(c.explainer); c.explain {
		req.Choice = model.ChooseFreely // the reader decides freely
	}
	for _, t := range req.Tools { // the tools that the request's choice allows: none, all, or the named one
		named := req.Choice == model.ToolChoice(t.Name)
		if req.Choice != model.ChooseFreely && req.Choice != model.ChooseRequired && !named || t.Name == c.explainer {
			continue
		}
		c.offered[t.Name] = all[t.Name]
		if req.Choice != model.ChooseFreely && (c.must == "" || t.Name == searchTool) {
			c.must = t.Name
		}
	}
	open := map[string]model.ToolCall{}
	final, replied := false, false
	for i, m := range req.Messages {
		if _, block, shown := strings.Cut(m.Content, "<playbook>"); shown && m.Role != model.ToolRole &&
			m.Role != model.Assistant {
			block, _, _ = strings.Cut(block, "</playbook>")
			c.advice += block
		}
		switch m.Role {
		case model.User:
			if c.question == "" {
				c.question = m.Content
			} else if !replied {
				c.given = append(c.given, given(m)...)
			}
			if final {
				c.round = i
			}
		case model.Assistant:
			replied = true
			final = final || len(m.ToolCalls) == 0 && strings.Contains(m.Content, answerMark)
			for _, t := range m.ToolCalls {
				open[t.ID] = t
			}
		case model.ToolRole:
			if t, ok := open[m.ToolCallID]; ok && t.Name != c.explainer {
				text := protocol.Unfenced(m.Content)
				o := observation{tool: t.Name, text: text, failed: strings.HasPrefix(text, "ERROR:")}
				_ = json.Unmarshal([]byte(t.Arguments), &o.args) // for broken arguments, use the readable part
				c.seen = append(c.seen, o)
				delete(open, m.ToolCallID)
			}
		}
	}
	return c
}

// callOf returns a tool call without an id.
func callOf(tool string, args any) model.ToolCall {
	raw, _ := json.Marshal(args) // encoding texts and small integers never fails
	return model.ToolCall{Name: tool, Arguments: string(raw)}
}

// explanation returns the call that explains the given turn.
func (c *conversation) explanation(content string, calls []model.ToolCall) model.ToolCall {
	args := map[string]string{"plan": "Answer with what was found.", "tool": "none",
		"reason": "The next by the reader's rules."}
	if len(calls) > 0 {
		args["plan"], args["tool"] = content, calls[0].Name
	}
	return callOf(c.explainer, args)
}

// demanded returns the arguments for a tool that the request demands although the reader does not need it.
// Every required text argument gets the question.
func (c *conversation) demanded() map[string]any {
	args := map[string]any{}
	for _, name := range c.offered[c.must].Required {
		if c.offered[c.must].Properties[name].Type == "string" {
			args[name] = c.question
		}
	}
	return args
}

// searcher returns the tool for look-ups and the name of its query argument. The tool is the first knowledge base,
// because it was offered for these questions. If there is no knowledge base, the tool is web_search; without
// web_search it is the first agent that is offered as a tool.
func (c *conversation) searcher() (tool, key string) {
	_, web := c.offered[searchTool]
	switch {
	case c.base != "":
		return c.base, "query"
	case web || c.agent == "":
		return searchTool, "query"
	}
	return c.agent, "task"
}

// searchesBase reports whether look-ups use a knowledge base.
func (c *conversation) searchesBase() bool {
	tool, _ := c.searcher()
	return tool == c.base
}

// find returns an earlier call of a tool with this argument.
func (c *conversation) find(tool, key, value string) (observation, bool) {
	for _, o := range c.seen {
		if o.tool == tool && o.args[key] == any(value) {
			return o, true
		}
	}
	return observation{}, false
}

// can reports whether a tool is offered and the harness still accepts calls.
func (c *conversation) can(tool string) bool {
	_, offered := c.offered[tool]
	return offered && !slices.ContainsFunc(c.seen, func(o observation) bool {
		return o.failed && strings.Contains(o.text, "exceeded_max_tool_calls")
	})
}

// document is one search result.
type document struct {
	ID      string `json:"id"`
	Title   string `json:"title"`
	Snippet string `json:"snippet"`
	Source  string `json:"source"`
}

// These constants limit how much of one search result is read: the number of results, and the bytes of each
// text.
const (
	maxResults = 20
	maxSnippet = 4 << 10
)

// documents reads the results of a search, up to the first that is not a document. Such a text occurs because
// the harness may have cut the observation.
func (o observation) documents() []document {
	_, body, _ := strings.Cut(o.text, `"results"`)
	_, list, ok := strings.Cut(body, "[")
	if o.failed || !ok {
		return nil
	}
	dec := json.NewDecoder(strings.NewReader("[" + list))
	_, _ = dec.Token() // the opening bracket
	var out []document
	for range maxResults {
		var d document
		if !dec.More() || dec.Decode(&d) != nil {
			break
		}
		d.Title, d.Snippet, d.Source = plainText(d.Title), plainText(d.Snippet), plainText(d.Source)
		if d.ID != "" && d.Snippet != "" {
			out = append(out, d)
		}
	}
	return out
}

func plainText(s string) string {
	if len(s) > maxSnippet {
		s = s[:maxSnippet]
	}
	return strings.Join(strings.Fields(strings.ToValidUTF8(s, " ")), " ")
}

var plainNumber = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^-?[0-9]+(\.[0-9]+)?$`) })

// value returns the calculator's result. ok is false for a number with an exponent.
func (o observation) value() (string, bool) {
	var body struct {
		Value string `json:"value"`
	}
	if o.failed || json.Unmarshal([]byte(o.text), &body) != nil {
		return "", false
	}
	return body.Value, plainNumber().MatchString(body.Value)
}
