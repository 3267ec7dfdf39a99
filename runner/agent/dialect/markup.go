package dialect

import (
	"fmt"
	"strings"

	"github.com/seed-5817661a/concur/internal/lazy"
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/model"
)

// callMarkup matches the markup of chat templates around calls, including forms that this package does not
// read.
var callMarkup = lazy.Compile(`(?i)</?(?:\w+:)?` +
	`(?:tool|function|invoke|arg_|parameters?\b|start_function|end_function)[^<>\n]*>` +
	`|<function=|<[|｜][^|｜<>\n]*(?:tool|func|python|dsml|channel|call)[^<>\n]*>|<tool_call\||\[/?tool_calls\]|✿`)

// maxQuoted limits the length of Markup's quotation, in bytes.
const maxQuoted = 80

// Markup quotes the first sign of a tool call in a text that was not read as a call. Such a sign is markup of a
// chat template, or the name of an offered tool followed by arguments. It returns "" if there is no such sign.
// Code in fences and between backquotes is an example, not a call.
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

// UnreadCall returns the cause for the end of a trace whose last message has no answer line and has markup of a
// tool call that was not run. It returns "" for other messages. It needs no list of tools, because the message
// may come from another program.
func UnreadCall(message string) string {
	quoted := Markup(message, nil)
	if quoted == "" {
		return ""
	}
	return fmt.Sprintf("the message has %q of a tool call, which was not run: make the agent, or its server, parse "+
		"the calls of its model", quoted)
}

// namedArguments matches a name followed by an object at the beginning of a line: calc({"expression": …}.
var namedArguments = lazy.Compile(`(?m)^[ \t]*([A-Za-z_][\w.\-]*)[ \t]*\(?[ \t]*\{[ \t]*"`)

// code matches fenced code and code between backquotes.
var code = lazy.Compile("(?s)```.*?(?:```|\\z)|`[^`\n]+`")

func withoutCode(reply string) string {
	if !strings.Contains(reply, "`") {
		return reply
	}
	return code.ReplaceAllString(reply, "")
}
