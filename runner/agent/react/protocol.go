package react

import (
	"fmt"
	"strings"

	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/model"
	"github.com/seed-5817661a/concur/runner/tool"
)

// turn is a model's reply, read.
type turn struct {
	message model.Message // what enters the conversation
	thought string
	calls   []model.ToolCall // without any, or once no more are allowed, final is the final message
	final   string
	finish  model.FinishReason

	problem  error  // why the reply is neither a call nor a final message
	leaked   bool   // the text holds a call that the provider should have taken out of it
	repaired bool   // arguments were no JSON, and were mended
	invented bool   // the model wrote an Observation itself, which was cut off
	dropped  int    // further actions, which are not read
	alias    string // what the model called the tool of its action, where that is not its name
}

// protocol is how tools, calls and observations are written between the loop and a
// model. The loop is the same for all.
type protocol interface {
	// instructions are the parts of the system prompt about tools and the form of replies.
	instructions(tools []tool.Spec) []string
	// prepare makes a request offer the tools; with none, the model can only answer.
	prepare(req *model.Request, tools []model.ToolSpec)
	// read reads a reply.
	read(reply model.Response) turn
	// observation is the message that shows the model what a call gave.
	observation(callID, text string) model.Message
	// complaint tells the model what was wrong with the form of its reply.
	complaint(problem error) string
}

// maxCalls is the number of tool calls that one turn may hold; each would cost events and
// messages even where a limit keeps it from running.
const maxCalls = 128

func protocolOf(name string) protocol {
	if name == config.ProtocolText {
		return &textProtocol{}
	}
	return nativeProtocol{}
}

// nativeProtocol uses the provider's own tool calls.
type nativeProtocol struct{}

func (nativeProtocol) instructions(tools []tool.Spec) []string {
	if len(tools) == 0 {
		return nil
	}
	return []string{promptTools}
}

func (nativeProtocol) prepare(req *model.Request, tools []model.ToolSpec) { req.Tools = tools }

func (nativeProtocol) read(reply model.Response) turn {
	thought, said := reply.Message.Speech()
	t := turn{message: reply.Message, calls: reply.Message.ToolCalls, finish: reply.Finish, thought: thought, final: said}
	t.message.Content = said
	if len(t.calls) > 0 {
		t.thought = strings.TrimSpace(thought + "\n" + said)
	} else {
		t.leaked = leakedCall.MatchString(said)
	}
	if n := len(t.calls); n > maxCalls {
		t.problem = fmt.Errorf("the turn has %d tool calls, and at most %d are read", n, maxCalls)
		t.calls, t.message.ToolCalls = nil, nil // a call that stays must be answered
	}
	return t
}

func (nativeProtocol) complaint(problem error) string {
	return fmt.Sprintf(promptNativeFormat, problem)
}

func (nativeProtocol) observation(callID, text string) model.Message {
	return model.Message{Role: model.ToolRole, ToolCallID: callID, Content: text}
}
