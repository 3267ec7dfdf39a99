package inject

import (
	"encoding/json"
	"regexp"
	"strings"
	"sync"
)

// Calls that are written as JSON, which the text protocol reads where they begin a line.

// maxBroken bounds the values that are tried and found broken, each at the cost of the
// rest of the text. Those behind them count as broken.
const maxBroken = 8

type jsonRules struct{ begin, callKey *regexp.Regexp }

var jsonMarks = sync.OnceValue(func() jsonRules {
	return jsonRules{
		// An object, or a list of objects, at a line's beginning or in a code block.
		begin:   regexp.MustCompile("(?m)^[ \\t]*(?:```[A-Za-z]{0,10}[ \\t]*\\n?[ \\t]*)?(\\[\\s*\\{|\\{\\s*[\"'])"),
		callKey: regexp.MustCompile(`"(?:name|tool|tool_name|action|function|final|final_answer)"\s*:`),
	}
})

// prefixJSON puts a bar before the lines at which JSON begins that may be a call. Of a
// sound value its keys tell. A broken one may become a call when it is mended, and there
// is no telling what a mender makes of it.
func prefixJSON(text string, log *changeLog) string {
	if !strings.Contains(text, "{") {
		return text
	}
	var out strings.Builder
	kept, harmless, broken := 0, 0, 0
	for _, m := range jsonMarks().begin.FindAllStringSubmatchIndex(text, -1) {
		begin := m[2]
		if begin < harmless {
			continue // within a value that is no call
		}
		if broken < maxBroken {
			length, sound := jsonLength(text[begin:])
			if !sound {
				broken++
			} else if !mayCall(text[begin : begin+length]) {
				harmless = begin + length
				continue
			}
		}
		line := strings.LastIndexByte(text[:begin], '\n') + 1
		log.note(Role, text[line:])
		out.WriteString(text[kept:line])
		out.WriteString(rolePrefix)
		kept = line
	}
	if kept == 0 && out.Len() == 0 {
		return text
	}
	return out.String() + text[kept:]
}

// jsonLength is the length of the value that a text begins with.
func jsonLength(text string) (length int, sound bool) {
	var value json.RawMessage
	decoder := json.NewDecoder(strings.NewReader(text))
	err := decoder.Decode(&value)
	return int(decoder.InputOffset()), err == nil
}

// mayCall looks at the keys at any depth: an inner object may begin a line, too.
func mayCall(value string) bool {
	return jsonMarks().callKey.MatchString(unescapeBackslash(value))
}
