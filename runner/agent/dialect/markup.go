package dialect

import (
	"fmt"
	"strings"

	"github.com/seed-5817661a/concur/internal/lazy"
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/model"
)

// callMarkup matches what templates write around calls, in forms that this package reads and in others.
var callMarkup = lazy.Compile(`(?i)</?(?:\w+:)?(?:tool|function|invoke|arg_|parameters?\b|start_function|end_function)[^<>\n]*>` +
	`|<function=|<[|｜][^|｜<>\n]*(?:tool|func|python|dsml|channel|call)[^<>\n]*>|<tool_call\||\[/?tool_calls\]|✿`)

// maxQuoted bounds what Markup quotes, in bytes.
const maxQuoted = 80

// Markup quotes the first sign of a tool call in a text that was not read as one: markup of a chat template, or the name
// of an offered tool with arguments behind it. It is "" for a text without any. Code in fences and between backquotes
// is an example, and no call.
func Markup(reply string, tools []model.ToolSpec) string {
	reply = withoutCode(reply)
	at := len(reply)
	if m := callMarkup.FindStringIndex(reply); m != nil {
		at = m[0]
	}
	for _, m := range namedArguments.FindAllStringSubmatchIndex(reply[:at], maxCandidates) {
		if _, offered := Resolve(reply[m[2]:m[3]], tools); offered {
			at = m[2]
			break
		}
	}
	if at == len(reply) {
		return ""
	}
	line, _, _ := strings.Cut(reply[at:], "\n")
	return text.Clip(line, maxQuoted)
}

// UnreadCall is the cause of a trace whose last message has markup of a call that nobody ran, and no answer line: nothing
// in it is an answer. It is "" for other messages. The message of another program is read without its tools.
func UnreadCall(message string) string {
	quoted := Markup(message, nil)
	if quoted == "" {
		return ""
	}
	return fmt.Sprintf("the message has %q of a tool call, which was not run: let the agent, or its server, read "+
		"the calls of its model", quoted)
}

// namedArguments matches a name with an object behind it at the beginning of a line: calc({"expression": …}.
var namedArguments = lazy.Compile(`(?m)^[ \t]*([A-Za-z_][\w.\-]*)[ \t]*\(?[ \t]*\{[ \t]*"`)

// code matches fenced code and code between backquotes.
var code = lazy.Compile("(?s)```.*?(?:```|\\z)|`[^`\n]+`")

func withoutCode(reply string) string {
	if !strings.Contains(reply, "`") {
		return reply
	}
	return code.ReplaceAllString(reply, "")
}
