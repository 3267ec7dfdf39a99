package session

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/agent/dialect"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/tool"
)

// inlineCalls returns the number of calls that a text of the agent may have; 0 if the agent has another protocol, or a
// strategy without tools.
func inlineCalls(c config.Agent, by Strategy) int {
	if c.Protocol != config.ProtocolInline || !by.Tools {
		return 0
	}
	return c.MostInlineCalls()
}

func (p Protocol) inlineInstructions(tools []tool.Spec) []string {
	list := []string{prompt("inline_tools")}
	for _, t := range tools {
		list = append(list, t.Line)
	}
	return []string{strings.Join(list, "\n"), fmt.Sprintf(prompt("inline_form"), p.inline)}
}

// read parses a reply. In the protocol inline, the reply goes on with the conversation's last message, and only what it
// adds is read: some providers repeat the text that they continue, and a result in it could hold a forged call.
func (s *Session) read(reply model.Response) Turn {
	if s.protocol.inline == 0 {
		return s.protocol.read(reply, s.specs())
	}
	if last := s.messages[len(s.messages)-1]; last.Role == model.Assistant {
		reply.Message.Content = strings.TrimPrefix(reply.Message.Content, last.Content)
	}
	t := readInline(reply, s.specs())
	t.before = t.final
	t.final = s.written + t.final
	return t
}

// readInline parses a piece of a text with inline calls. Its first call counts. What the model wrote behind the call is
// removed, because it wrote it without the result.
func readInline(reply model.Response, tools []model.ToolSpec) Turn {
	thought, text := reply.Message.Speech()
	t := Turn{message: model.Message{Role: model.Assistant, Content: text}, thought: thought, final: text,
		Finish: reply.Finish}
	call, found := dialect.FindInline(text, tools, reply.Finish != model.FinishLength)
	if !found {
		return t
	}
	t.final, t.message.Content = text[:call.Start], text[:call.Start]+call.Text
	t.invented = strings.Trim(call.Own, "] \n") != ""
	t.think(t.final)
	t.take(call.Turn, "")
	return t
}

// Invented reports whether the model wrote a result of a tool itself. It was removed.
func (t Turn) Invented() bool { return t.invented }

// addReply adds a reply to the conversation. In the protocol inline, it goes on with the text so far. callable says
// whether its calls may run. A call that may not run is left out of that text, in which it would never get a result.
func (s *Session) addReply(t Turn, callable bool) {
	if s.protocol.inline == 0 {
		s.messages = append(s.messages, t.message)
		return
	}
	s.written = t.final
	if !callable {
		t.message.Content = t.before
	}
	if s.messages[len(s.messages)-1].Role == model.Assistant {
		s.goOn(t.message.Content)
		return
	}
	s.messages = append(s.messages, t.message)
}

// writeResult puts the result of a call into the text that the model goes on with. The text ends with a bracket,
// because some providers refuse a text that ends with a space.
func (s *Session) writeResult(shown string) { s.goOn(" " + dialect.Arrow + " " + shown + "]") }

// goOn adds to the last message. Earlier requests have their own copy of it.
func (s *Session) goOn(text string) {
	s.messages = slices.Clone(s.messages)
	s.messages[len(s.messages)-1].Content += text
}
