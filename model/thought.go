package model

import (
	_ "embed"
	"regexp"
	"strings"
	"sync"

	"github.com/seed-5817661a/concur/internal/lazy"
)

// Speech separates a model's thought from the text that it addresses to others. Thought and the think blocks
// of Content are the thought. A block without an end continues to the end of the message.
func (m Message) Speech() (thought, text string) {
	blocks, text := splitThoughts(m.Content)
	return strings.TrimSpace(strings.Join(append([]string{m.Thought}, blocks...), "\n")), text
}

//go:embed thought.tsv
var thoughtTable string

// blockStart is a pattern for the text before the opening of a block. A block must be at the beginning of a
// line, or after the label Thought, so that the same word in an argument or an answer is not a block.
const blockStart = `(?im)^[ \t>*_]*(?:Thought(?:[ \t]+[0-9]+)?[ \t]*[*_]*:[*_]*[ \t]*)?`

// thoughtForms are the rows of thought.tsv.
type thoughtForms struct {
	tokens  []*regexp.Regexp // for each kind of block: a pattern of its next opening (group 1) or closing
	opening *regexp.Regexp   // group n is an opening of kind n
	orphan  *regexp.Regexp   // matches the closing of a block that was opened in the prompt
}

var readForms = sync.OnceValue(func() (f thoughtForms) {
	var openings, orphans []string
	for line := range strings.Lines(thoughtTable) {
		cell := strings.Split(strings.TrimRight(line, "\n"), "\t")
		if len(cell) != 3 {
			continue // a comment
		}
		openings, orphans = append(openings, "("+cell[0]+")"), append(orphans, cell[2])
		f.tokens = append(f.tokens, regexp.MustCompile(`(?im)(^[ \t]*`+cell[0]+`)|`+cell[1]))
	}
	f.opening = regexp.MustCompile(blockStart + "(?:" + strings.Join(openings, "|") + ")")
	f.orphan = regexp.MustCompile("(?im)" + strings.Join(orphans, "|"))
	return f
})

// endMark matches a token of a chat template that a server left at the end of a reply.
var endMark = lazy.Compile(`(?:<\|(?:return|end|im_end|eot_id)\|>|</s>)\s*$`)

// splitThoughts separates the think blocks of a reply from the rest of its text.
func splitThoughts(reply string) (blocks []string, text string) {
	if !strings.ContainsAny(reply, "<[◁") {
		return nil, reply
	}
	forms := readForms()
	var out strings.Builder
	rest, found := reply, forms.opening.FindStringSubmatchIndex(reply)
	before := reply // the opening tag of a block may be at the end of the prompt
	if found != nil {
		before = reply[:found[0]]
	}
	if m := forms.orphan.FindStringIndex(before); m != nil {
		blocks, rest = append(blocks, strings.TrimSpace(reply[:m[0]])), reply[m[1]:]
		found = forms.opening.FindStringSubmatchIndex(rest)
	}
	for ; found != nil; found = forms.opening.FindStringSubmatchIndex(rest) {
		kind := 0
		for found[2+2*kind] < 0 {
			kind++
		}
		out.WriteString(rest[:found[0]])
		length, end := blockEnd(forms.tokens[kind], rest[found[1]:])
		blocks = append(blocks, strings.TrimSpace(rest[found[1]:found[1]+length]))
		rest = rest[found[1]+end:]
	}
	if len(blocks) > 0 {
		rest = strings.TrimSpace(out.String() + rest)
	}
	return blocks, endMark.ReplaceAllString(rest, "")
}

// blockEnd finds the end of a block: length is the length of its content, and end is the offset at which the
// text continues. It skips nested blocks. If a nested block has no end, the last closing ends the outer
// block.
func blockEnd(token *regexp.Regexp, body string) (length, end int) {
	length, end = len(body), len(body)
	for at, depth := 0, 1; depth > 0; {
		m := token.FindStringSubmatchIndex(body[at:])
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
