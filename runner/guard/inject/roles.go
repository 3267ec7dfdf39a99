package inject

import (
	"encoding/json"
	"slices"
	"strings"
)

// Lines that begin as a turn does: of the agent's own loop, which reads its text
// protocol by such lines, of a chat written out as text, or a call as JSON.

const (
	decoration = " \t>*_#`+-\"'0123456789.()[]" // characters that may stand around a label
	// maxBroken bounds the values that are tried and found broken, each at the cost of the
	// rest of the text. Those behind them count as broken.
	maxBroken = 8
)

// roleLabels are the labels of the agent's loop, the speakers of chats, and the lines that
// end a turn or stand where a tool spoke. A page may list its users: "user" is none of them.
var roleLabels = strings.Split("observation,observations,action,action input,final answer,final,thought,thoughts,"+
	"human,assistant,system,answer,short answer,tool returns,tool returned", ",")

var (
	// roleHead has the labels as the text protocol takes them, with any length of decoration
	// and number; the fields behind them; and the finishing action without a label.
	roleHead = compiled(`(?i)^[ \t>*_]*(?:` +
		`(?:thought|action input|action|final answer|final|answer|observation|tool return(?:s|ed)|思考|行动输入|行动|动作输入|动作|最终答案|观察)[ \t0-9]*[*_]*[:：]` +
		`|\[?[ \t]*[a-z_][\w.-]*\((?:\s*\w+\s*=|.*\)\s*(?:[\],].*)?\s*$|[^)]*$)` + // calc(expression="1", or a call and nothing else
		`|\[\[ ?## ?\w+ ?## ?\]\]` +
		`|(?:finish|complete_task|final_answer)[\[(])`)
	// jsonBegin is an object, or a list of objects, at a line's beginning or in a code block.
	jsonBegin = compiled("(?m)^[ \\t]*(?:```[A-Za-z]{0,10}[ \\t]*\\n?[ \\t]*)?(\\[\\s*\\{|\\{\\s*[\"'])")
	callKey   = compiled(`"(?:name|tool|tool_name|action|function|final|final_answer)"\s*:`)
)

// prefixRoles puts a bar before the lines that begin as a turn does, so that none
// can be read as one.
func prefixRoles(text string, log *changeLog) string {
	if !strings.ContainsAny(text, ":：[(") {
		return text
	}
	var out strings.Builder
	for line := range strings.Lines(text) {
		if beginsTurn(line) {
			log.note(Role, line)
			out.WriteString(rolePrefix)
		}
		out.WriteString(line)
	}
	return out.String()
}

// beginsTurn looks at the label as the scan reads it, and then as the text protocol does.
func beginsTurn(line string) bool {
	head := strings.TrimLeft(line, " \t>*_#`+-\"'")
	head = strings.ReplaceAll(head[:min(len(head), maxLabel)], "：", ":")
	label, _, labelled := strings.Cut(head, ":")
	return labelled && slices.Contains(roleLabels, strings.Trim(fold(label), decoration)) || roleHead().MatchString(line)
}

// prefixJSON puts a bar before the lines at which JSON begins that may be a call, which
// the text protocol reads. Of a sound value its keys tell, at any depth: an inner object
// may begin a line, too. A broken one may become a call when it is mended, and there
// is no telling what a mender makes of it.
func prefixJSON(text string, log *changeLog) string {
	if !strings.Contains(text, "{") {
		return text
	}
	out := splice{text: text}
	harmless, broken := 0, 0
	for _, m := range jsonBegin().FindAllStringSubmatchIndex(text, -1) {
		begin := m[2]
		if begin < harmless {
			continue // within a value that is no call
		}
		if broken < maxBroken {
			var value json.RawMessage
			decoder := json.NewDecoder(strings.NewReader(text[begin:]))
			if decoder.Decode(&value) != nil {
				broken++
			} else if !callKey().MatchString(unescapeBackslash(string(value))) {
				harmless = begin + int(decoder.InputOffset())
				continue
			}
		}
		line := strings.LastIndexByte(text[:begin], '\n') + 1
		log.note(Role, text[line:])
		out.put(line, line, rolePrefix)
	}
	return out.done()
}
