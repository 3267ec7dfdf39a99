package inject

import (
	"regexp"
	"strings"
	"sync"
)

// Lines that begin as a turn does: of the agent's own loop, which reads its text
// protocol by such lines, or of a chat written out as text.

const (
	maxLabel   = 48              // bytes before the colon that may be a label
	decoration = " \t>*_#`+-\"'" // characters that may stand around a label
)

// reactLabels are the labels of the agent's loop.
func isReactLabel(label string) bool {
	switch label {
	case "observation", "observations", "action", "action input", "final answer", "final", "thought", "thoughts":
		return true
	}
	return false
}

// isChatLabel names the speakers of chats. A page may list its users: "user" is none.
func isChatLabel(label string) bool {
	return label == "human" || label == "assistant" || label == "system"
}

// lineLabel returns the label before the colon with which a line begins, normalised,
// without decoration and number: "observation" for "**Observation 2:** …". It
// returns "" where no line of a turn begins so.
func lineLabel(line string) string {
	line = strings.TrimLeft(line, decoration)
	head := line[:min(len(line), maxLabel)]
	colon := strings.IndexByte(head, ':')
	if wide := strings.Index(head, "："); wide >= 0 && (colon < 0 || wide < colon) {
		colon = wide
	}
	if colon < 0 {
		return ""
	}
	return strings.Trim(fold(head[:colon]), decoration+"0123456789.()[]")
}

// isAnswerLabel names the lines that end a turn, or stand where a tool spoke. Honest
// pages have such lines too, so that they are no sign of an attack.
func isAnswerLabel(label string) bool {
	switch label {
	case "answer", "short answer", "tool returns", "tool returned":
		return true
	}
	return false
}

// turnHead takes the labels again, as the text protocol does: with any length of
// decoration and number. Behind them stand its fields, and the finishing action without
// a label.
var turnHead = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^[ \t>*_]*(?:` +
		`(?:thought|action input|action|final answer|final|answer|observation|tool return(?:s|ed)|思考|行动输入|行动|动作输入|动作|最终答案|观察)[ \t0-9]*[*_]*[:：]` +
		`|\[?[ \t]*\w+\(\s*\w+\s*=` + // calc(expression="1")
		`|\[\[ ?## ?\w+ ?## ?\]\]` +
		`|(?:finish|complete_task|final_answer)[\[(])`)
})

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

func beginsTurn(line string) bool {
	label := lineLabel(line)
	return isReactLabel(label) || isChatLabel(label) || isAnswerLabel(label) || turnHead().MatchString(line)
}

// forgedTurn returns the first line that begins as a turn of the agent's loop.
func forgedTurn(r reading) string {
	for lines := r.lines; strings.Contains(lines, ":"); {
		line, rest, _ := strings.Cut(lines, "\n")
		if isReactLabel(lineLabel(line)) {
			return line
		}
		lines = rest
	}
	return ""
}
