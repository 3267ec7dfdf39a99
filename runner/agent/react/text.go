package react

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/kaptinlin/jsonrepair"
)

// textTurn is one turn of the text protocol, read.
type textTurn struct {
	thought   string
	action    string // the tool's name; "" without an action
	arguments string // JSON, or what the model wrote where that could not be read
	final     string // the final message; "" without one
	kept      string // the reply without what the model invented

	invented bool  // it wrote an Observation itself, which is cut off
	repaired bool  // the arguments were no JSON, and were mended
	problem  error // why the turn is neither an action nor a final message
}

// label is a line's beginning that gives the line its meaning.
var label = regexp.MustCompile(`(?im)^[ \t>*_]*(Thought|Action Input|Action|Observation|Final)[ \t]*[*_]*:[*_]*[ \t]*`)

// parseText reads a reply of the text protocol: Thought, then either Action with Action
// Input or Final. The first action of a turn wins, unless Final stands before it; an
// Observation that the model wrote itself, and all behind it, is cut off.
func parseText(reply string) textTurn {
	t := textTurn{kept: reply}
	marks := label.FindAllStringSubmatchIndex(reply, -1)
	for i, m := range marks {
		if strings.EqualFold(reply[m[2]:m[3]], "Observation") {
			t.invented = true
			t.kept = strings.TrimRight(reply[:m[0]], " \t\n")
			marks = marks[:i]
			break
		}
	}
	text := t.kept
	section := func(i int) string {
		end := len(text)
		if i+1 < len(marks) {
			end = marks[i+1][0]
		}
		return strings.TrimSpace(text[marks[i][1]:end])
	}
	lead := text
	if len(marks) > 0 {
		lead = text[:marks[0][0]]
	}
	thoughts := []string{strings.TrimSpace(lead)}
	for i, m := range marks {
		switch strings.ToLower(text[m[2]:m[3]]) {
		case "thought":
			thoughts = append(thoughts, section(i))
		case "action":
			t.action = strings.Trim(section(i), "`*\"' ")
			raw := ""
			if i+1 < len(marks) && strings.EqualFold(text[marks[i+1][2]:marks[i+1][3]], "Action Input") {
				raw = section(i + 1)
			}
			t.thought = joinThoughts(thoughts)
			t.readArguments(raw)
			return t
		case "final":
			t.final = strings.TrimSpace(text[m[1]:]) // to the end: its own lines may look like labels
			t.thought = joinThoughts(thoughts)
			return t
		}
	}
	t.thought = joinThoughts(thoughts)
	t.problem = errors.New("the turn has neither an Action line nor a Final line")
	return t
}

func joinThoughts(parts []string) string {
	return strings.TrimSpace(strings.Join(parts, "\n"))
}

// readArguments reads an Action Input: JSON as it stands, out of a code fence, or mended.
func (t *textTurn) readArguments(raw string) {
	t.arguments = unfence(raw)
	if t.action == "" {
		t.problem = errors.New("the Action line names no tool")
		return
	}
	if t.arguments == "" {
		t.arguments = "{}"
		return
	}
	if isObject(t.arguments) {
		return
	}
	broken := objectIn(t.arguments)
	if len(broken) > maxRepair {
		t.problem = fmt.Errorf("the Action Input is not a JSON object, and at %d bytes too long to mend", len(broken))
		return
	}
	mended, err := jsonrepair.Repair(broken)
	if err != nil || !isObject(mended) { // the library can return what is still no JSON
		t.problem = errors.New("the Action Input is not a JSON object")
		return
	}
	t.arguments, t.repaired = mended, true
}

// maxRepair bounds what is mended: the library recurses for every bracket, and its time
// grows faster than its input.
const maxRepair = 4 << 10

// unfence takes text out of a Markdown code block.
func unfence(text string) string {
	text = strings.TrimSpace(text)
	if !strings.HasPrefix(text, "```") {
		return text
	}
	_, text, _ = strings.Cut(text, "\n")
	return strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(text), "```"))
}

// objectIn leaves out prose around an object.
func objectIn(text string) string {
	if i := strings.IndexByte(text, '{'); i >= 0 {
		text = text[i:]
	}
	if i := strings.LastIndexByte(text, '}'); i >= 0 {
		text = text[:i+1]
	}
	return text
}

func isObject(text string) bool {
	var object map[string]json.RawMessage
	return json.Unmarshal([]byte(text), &object) == nil && object != nil
}
