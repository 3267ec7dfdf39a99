package answer

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode/utf8"

	"github.com/seed-5817661a/concur/datasets/resultset"
	"github.com/seed-5817661a/concur/internal/lazy"
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/trace"
)

// lastTag finds the last non-empty <answer>…</answer> or [ANSWER]…[/ANSWER]. An opening tag without a closing
// one counts only at the beginning of a line, and then extends to the end of the line. start is -1 if there is
// no tag.
func (m *final) lastTag() (start, end int) {
	closed := map[string]int{} // for each name, where the next closing tag begins
	for at := lastBracket(m.text); at >= 0; at = lastBracket(m.text[:at]) {
		name, n, closing := readTag(m.text[at:])
		switch {
		case n == 0:
			continue
		case closing:
			closed[name] = at
			continue
		}
		start = at + n
		end, paired := closed[name]
		if !paired {
			before := m.text[max(0, at-maxWordsBytes):at]
			line := before[strings.LastIndexByte(before, '\n')+1:]
			if strings.Trim(line, decoration) != "" || len(line) == maxWordsBytes {
				continue
			}
			if end = strings.IndexAny(m.text[start:], "\r\n"); end < 0 {
				end = len(m.text) - start
			}
			end += start
		}
		if inner := strings.TrimSpace(m.text[start:end]); inner != "" {
			start += strings.Index(m.text[start:end], inner)
			return start, start + len(inner)
		}
	}
	return -1, -1
}

func lastBracket(s string) int {
	for at := len(s) - 1; at >= 0; at-- {
		if s[at] == '<' || s[at] == '[' {
			return at
		}
	}
	return -1
}

// readTag reads a tag of an answer at the beginning of s: its name in lower case, and its length; n is 0 for
// anything else.
func readTag(s string) (name string, n int, closing bool) {
	const longest = 24
	if len(s) > 1 && s[0] == '[' && s[1] >= 'a' && s[1] <= 'z' {
		return "", 0, false // a tag in square brackets must be in capitals
	}
	end := strings.IndexAny(s[:min(len(s), longest)], ">]")
	if end < 0 || s[end] == ']' != (s[0] == '[') {
		return "", 0, false
	}
	name, closing = strings.CutPrefix(strings.ToLower(s[1:end]), "/")
	if s[0] == '[' && strings.ToUpper(s[1:end]) != s[1:end] || !vocabulary().has("tag", name) {
		return "", 0, false
	}
	return name, end + 1, closing
}

// maxObjectBytes is the maximum length of a JSON object that is read for its answer.
const maxObjectBytes = 64 << 10

// lastObject finds a JSON object at the end of the message, in a code fence or not, with a field for the
// answer. start is -1 if there is no such object.
func (m *final) lastObject() (start, end int, value string) {
	whole := strings.TrimRight(m.text, " \t\r\n`")
	if !strings.HasSuffix(whole, "}") && strings.Contains(m.text, "```") {
		whole = strings.TrimRight(m.text[:strings.LastIndex(m.text, "```")], " \t\r\n")
	}
	if !strings.HasSuffix(whole, "}") || len(whole) > maxObjectBytes {
		return -1, -1, ""
	}
	pair := text.Partners(withoutStrings(whole), "{}")
	if pair == nil || pair[len(whole)-1] < 0 {
		return -1, -1, ""
	}
	start = pair[len(whole)-1]
	var fields map[string]json.RawMessage
	if json.Unmarshal([]byte(whole[start:]), &fields) != nil {
		return -1, -1, ""
	}
	for _, name := range vocabulary().rows["field"] {
		if raw, ok := fields[name]; ok {
			return start, len(whole), jsonText(raw)
		}
	}
	return -1, -1, ""
}

// withoutStrings replaces the braces within the strings of a JSON text with spaces.
func withoutStrings(s string) string {
	out, inside := []byte(s), false
	for i := 0; i < len(out); i++ {
		switch {
		case inside && out[i] == '\\':
			i++
		case out[i] == '"':
			inside = !inside
		case inside && (out[i] == '{' || out[i] == '}'):
			out[i] = ' '
		}
	}
	return string(out)
}

// jsonText returns the text of a JSON value: a number as written, a list as its elements; "" for null and
// objects.
func jsonText(raw json.RawMessage) string {
	raw = bytes.TrimSpace(raw)
	var s string
	var list []json.RawMessage
	switch {
	case len(raw) == 0 || raw[0] == '{' || string(raw) == "null":
		return ""
	case json.Unmarshal(raw, &s) == nil:
		return s
	case json.Unmarshal(raw, &list) == nil:
		var parts []string
		for _, part := range list {
			parts = append(parts, jsonText(part))
		}
		return strings.Join(parts, "; ")
	}
	return string(raw)
}

const box = `\boxed{`

// boxes returns the content of the last \boxed{…} that is not empty. If several boxes are joined or in a list,
// it returns the contents of all of them. ok is false if there is no box.
func (m *final) boxes(s string) (content string, ok bool) {
	if !strings.Contains(s, box) {
		return "", false
	}
	last := strings.LastIndex(s, box)
	pair := text.Partners(escapedBraces.Replace(s), "{}")
	var all []string
	next := 0 // beginning of the next box
	for at := last; at >= 0 && len(all) < maxBoxes; at = strings.LastIndex(s[:at], box) {
		start, end := at+len(box), pair[at+len(box)-1]
		if end <= start || strings.TrimSpace(s[start:end]) == "" {
			continue
		}
		if len(all) > 0 && (end > next || m.as != List && !boxJoint.MatchString(s[end+1:next])) {
			break
		}
		all, next = append([]string{s[start:end]}, all...), at
	}
	switch {
	case len(all) == 0:
		return "", false
	case m.as == List:
		return strings.Join(all, "; "), true
	}
	return sameOr(all, " or "), true
}

// boxJoint matches the text between two boxes that form one answer.
var boxJoint = lazy.Compile(`^[ $,]{0,8}(?:and|or)?[ $]{0,8}$`)

// maxBoxes is the maximum number of boxes of a list.
const maxBoxes = 64

// sameOr joins texts with joint. If all texts are equal, it returns only one of them.
func sameOr(all []string, joint string) string {
	for _, s := range all {
		if s != all[0] {
			return strings.Join(all, joint)
		}
	}
	return all[0]
}

// escapedBraces replaces the visible braces of a formula with other characters.
var escapedBraces = strings.NewReplacer(`\{`, "  ", `\}`, "  ")

// withoutControls removes tokens of a chat template that a server left in a message: <|im_end|>, <end_of_turn>.
func withoutControls(s string) string {
	if !strings.ContainsAny(s, "<[") {
		return s
	}
	var out strings.Builder
	from := 0
	for at := 0; at+1 < len(s); at++ {
		next := s[at+1]
		isTag := s[at] == '<' && (next == '|' || next == '/' || next >= 'a' && next <= 'z')
		if !isTag && !(s[at] == '[' && (next == '/' || next == 'I')) {
			continue
		}
		if n := controlLength(s[at:]); n > 0 {
			out.WriteString(s[from:at])
			from, at = at+n, at+n-1
		}
	}
	if from == 0 {
		return s
	}
	out.WriteString(s[from:])
	return out.String()
}

// controlLength returns the length of a control token at the beginning of s; 0 for anything else.
func controlLength(s string) int {
	if n := vocabulary().begins("control", text.Head(s, 24)); n > 0 {
		return n
	}
	const longest = 48
	inner, ok := strings.CutPrefix(s[:min(len(s), longest)], "<|")
	end := strings.Index(inner, "|>")
	if !ok || end <= 0 || !text.StartsWord(inner) {
		return 0
	}
	for _, r := range inner[:end] {
		if !(text.IsWord(r) || strings.ContainsRune("_-▁ /", r)) || r == utf8.RuneError {
			return 0
		}
	}
	return end + len("<||>")
}

// tableIn reads a message whose answer is a table: its last table, or CSV or a list of values after a marker, or CSV
// that is the whole message. Without a table, the message may be a refusal or an abstention.
func (m *final) tableIn() Final {
	content, _, _ := m.markedText()
	if kind := declared(content); kind != "" {
		return Final{Outcome: kind, Extract: FromLine}
	}
	place := FromFallback
	if content != "" {
		place = FromLine
	}
	short, found := resultset.Find(m.text)
	for _, whole := range []string{content, m.text} {
		if _, err := resultset.Parse(whole); err == nil && !found {
			short, found = strings.TrimSpace(whole), true
		}
	}
	switch {
	case found:
		return Final{Outcome: trace.Answered, Short: short, Extract: place}
	case m.isBare(m.folded().String):
		return Final{Outcome: trace.Abstained, Extract: FromFallback}
	}
	for _, part := range []string{content, m.text} {
		if kind := m.outcomeOf(part); part != "" && kind != "" {
			return Final{Outcome: kind, Extract: FromFallback}
		}
	}
	if kind := m.intent(); kind != "" {
		return Final{Outcome: kind, Extract: FromFallback}
	}
	return Final{Outcome: trace.NoAnswer, Extract: FromNowhere, Reason: "the message has no table: no rows as JSON, no " +
		"Markdown table and no CSV"}
}
