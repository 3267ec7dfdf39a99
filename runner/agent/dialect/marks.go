package dialect

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"github.com/seed-5817661a/concur/internal/lazy"
	"github.com/seed-5817661a/concur/internal/text"
)

// kind is the meaning of the text after a label. The names are in labels.tsv. It is "" for a field that has no
// meaning here.
type kind string

const (
	none        kind = ""
	thought     kind = "thought"
	action      kind = "action"
	actionInput kind = "input"
	final       kind = "final"
	finalAnswer kind = "answer"
	toolName    kind = "name"  // [[ ## next_tool_name ## ]]
	toolArgs    kind = "args"  // [[ ## next_tool_args ## ]]
	answerField kind = "field" // [[ ## answer ## ]]
)

// mark is a label in the text. It has the place of the label, with its decoration.
type mark struct {
	kind       kind
	start, end int
	hasNumber  bool
}

// label matches labels at the beginning of a line. It does not match Answer, because that label counts only if
// there are no others.
var label = lazy.Build(func() string {
	return `(?im)^[ \t>*_]*(?:` +
		`(` + labelPattern(false) + `)(?:[ \t]*([0-9]+))?[ \t]*[*_]*[:：][*_]*[ \t]*` +
		`|\[\[ ?## ?(\w+) ?## ?\]\][ \t]*)`
})

// invention matches the beginning of an observation that the model wrote itself. Only the harness should write
// observations.
var invention = lazy.Build(func() string {
	return `(?im)^[ \t>*_]*(?:(?:` + labelPattern(true) + `)(?:[ \t]*[0-9]+)?[ \t]*[*_]*[:：]` +
		`|\[\[ ?## ?observation\w* ?## ?\]\]|<tool_response>)|</tool_call>[ \t]*<tool_response>`
})

// kinds maps the words of labels.tsv to kinds. Names of fields are in brackets.
var kinds = sync.OnceValue(func() map[string]kind {
	out := map[string]kind{}
	for _, row := range tableRows(labelTable) {
		out[strings.ToLower(row[1])] = kind(row[0])
	}
	return out
})

// labelPattern returns a pattern for the labels of observations, or for all other labels. Longer labels come
// first.
func labelPattern(observations bool) string {
	var words []string
	for _, row := range tableRows(labelTable) {
		if (row[0] == "observation") == observations && row[1][0] != '[' {
			words = append(words, row[1])
		}
	}
	slices.SortFunc(words, func(a, b string) int { return len(b) - len(a) })
	return strings.Join(words, "|")
}

func marksIn(reply string) []mark {
	found := label.FindAllStringSubmatchIndex(reply, -1)
	marks := make([]mark, len(found))
	for i, m := range found {
		var word string
		if m[2] >= 0 {
			word = reply[m[2]:m[3]]
		} else {
			word = "[" + reply[m[6]:m[7]] + "]"
		}
		marks[i] = mark{kind: kinds()[strings.ToLower(word)], start: m[0], end: m[1], hasNumber: m[4] >= 0}
	}
	return marks
}

// inventedIn returns the offset of the first observation that the model wrote itself.
func inventedIn(reply string) (int, bool) {
	m := invention.FindStringIndex(reply)
	if m == nil {
		return 0, false
	}
	const closing = "</tool_call>"
	if strings.HasPrefix(strings.ToLower(reply[m[0]:m[1]]), closing) {
		return m[0] + len(closing), true
	}
	return m[0], true
}

// decisive returns the index of the first mark that begins an action or a final message. If no mark does, it
// returns the number of marks.
func (p *parser) decisive() int {
	for i, m := range p.marks {
		switch m.kind {
		case action, toolName, final, finalAnswer, answerField:
			return i
		}
	}
	return len(p.marks)
}

// section returns the text between a mark and the next.
func (p *parser) section(i int) string {
	end := len(p.text)
	if i+1 < len(p.marks) {
		end = p.marks[i+1].start
	}
	return strings.TrimSpace(p.text[p.marks[i].end:end])
}

// thoughtBefore returns the thought before an offset: the text before all marks and after marks of thoughts.
func (p *parser) thoughtBefore(offset int) string {
	lead := offset
	if len(p.marks) > 0 {
		lead = min(lead, p.marks[0].start)
	}
	parts := []string{strings.TrimSpace(p.text[:lead])}
	for i, m := range p.marks {
		if m.end > offset {
			break
		}
		if m.kind != thought {
			continue
		}
		end := offset
		if i+1 < len(p.marks) {
			end = min(end, p.marks[i+1].start)
		}
		parts = append(parts, strings.TrimSpace(p.text[m.end:end]))
	}
	return joinThoughts(parts)
}

// actionsFrom counts the labelled actions between mark i and a final message.
func (p *parser) actionsFrom(i int) int {
	n := 0
	for _, m := range p.marks[i:] {
		switch m.kind {
		case action, toolName:
			n++
		case final, finalAnswer:
			return n
		}
	}
	return n
}

// Tables of spellings; see text.Rows for their format.
var (
	//go:embed labels.tsv
	labelTable string
	//go:embed aliases.tsv
	aliasTable string
	//go:embed tags.tsv
	tagTable string
)

func tableRows(table string) [][]string { return text.Rows(table, 2) }
