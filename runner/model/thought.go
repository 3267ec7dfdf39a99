package model

import (
	_ "embed"
	"regexp"
	"strings"
	"sync"
)

// Speech separates a model's thought from its text for others: think blocks of Content are
// thoughts, as is Thought. An unclosed block takes the rest of the message.
func (m Message) Speech() (thought, text string) {
	blocks, text := splitThoughts(m.Content)
	return strings.TrimSpace(strings.Join(append([]string{m.Thought}, blocks...), "\n")), text
}

// thoughtForm is a row of thought.tsv: the delimiters of one kind of block.
type thoughtForm struct {
	token *regexp.Regexp // the opening of another block, group 1, or a closing
}

//go:embed thought.tsv
var thoughtTable string

// blockStart precedes an opening: a block begins a line, or follows Thought, so that the
// word within an argument or an answer does not count.
const blockStart = `(?im)^[ \t>*_]*(?:Thought(?:[ \t]+[0-9]+)?[ \t]*[*_]*:[*_]*[ \t]*)?`

// thoughtForms gives the kinds of blocks; opening, whose n-th group is the n-th kind; and
// orphan, which closes a block that was opened in the prompt.
var thoughtForms = sync.OnceValues(func() (kinds []thoughtForm, whole struct{ opening, orphan *regexp.Regexp }) {
	var openings, orphans []string
	for line := range strings.Lines(thoughtTable) {
		cell := strings.Split(strings.TrimRight(line, "\n"), "\t")
		if len(cell) != 3 {
			continue // a comment
		}
		openings, orphans = append(openings, "("+cell[0]+")"), append(orphans, cell[2])
		kinds = append(kinds, thoughtForm{regexp.MustCompile(`(?im)(^[ \t]*` + cell[0] + `)|` + cell[1])})
	}
	whole.opening = regexp.MustCompile(blockStart + "(?:" + strings.Join(openings, "|") + ")")
	whole.orphan = regexp.MustCompile("(?im)" + strings.Join(orphans, "|"))
	return kinds, whole
})

// endMark is a token of a chat template that a server left at the end of a reply.
var endMark = regexp.MustCompile(`(?:<\|(?:return|end|im_end|eot_id)\|>|</s>)\s*$`)

func splitThoughts(reply string) (blocks []string, text string) {
	if !strings.ContainsAny(reply, "<[◁") {
		return nil, reply
	}
	kinds, whole := thoughtForms()
	var out strings.Builder
	rest, found := reply, whole.opening.FindStringSubmatchIndex(reply)
	before := reply // a closing before the first opening belongs to the prompt
	if found != nil {
		before = reply[:found[0]]
	}
	if m := whole.orphan.FindStringIndex(before); m != nil {
		blocks, rest = append(blocks, strings.TrimSpace(reply[:m[0]])), reply[m[1]:]
		found = whole.opening.FindStringSubmatchIndex(rest)
	}
	for ; found != nil; found = whole.opening.FindStringSubmatchIndex(rest) {
		kind := 0
		for found[2+2*kind] < 0 {
			kind++
		}
		out.WriteString(rest[:found[0]])
		length, end := kinds[kind].end(rest[found[1]:])
		blocks = append(blocks, strings.TrimSpace(rest[found[1]:found[1]+length]))
		rest = rest[found[1]+end:]
	}
	if len(blocks) > 0 {
		rest = strings.TrimSpace(out.String() + rest)
	}
	return blocks, endMark.ReplaceAllString(rest, "")
}

// end finds the end of a block: its length, and where the text continues. Nested blocks
// belong to it; if one of them is unclosed, the last closing ends the block.
func (k thoughtForm) end(body string) (length, end int) {
	length, end = len(body), len(body)
	for at, depth := 0, 1; depth > 0; {
		m := k.token.FindStringSubmatchIndex(body[at:])
		if m == nil {
			break
		}
		if m[2] >= 0 {
			depth++
		} else {
			length, end = at+m[0], at+m[1]
			depth--
		}
		at += m[1]
	}
	return length, end
}
