package dialect

import (
	"regexp"
	"strings"
)

// speech is a reply without its think blocks: what a reasoning model leaks of them looks
// like actions and answers, and is neither.
type speech struct {
	text       string
	thinking   []string
	unfinished bool  // the last block is never closed
	gaps       []gap // in order
}

// gap is a block that was taken out in front of an offset of the text.
type gap struct{ at, length int }

// opening begins a block. It stands at a line's beginning or right behind Thought, so that
// the word within an argument or an answer is left alone.
var opening = regexp.MustCompile(`(?im)^[ \t>*_]*(?:Thought(?:[ \t]+[0-9]+)?[ \t]*[*_]*:[*_]*[ \t]*)?<think(?:ing)?>`)

// closing ends a block.
var closing = regexp.MustCompile(`(?i)</think(?:ing)?>`)

// orphan is a closing tag alone on its line: chat templates often write the opening one
// into the prompt.
var orphan = regexp.MustCompile(`(?im)^[ \t]*</think(?:ing)?>[ \t]*$`)

func speak(reply string) speech {
	var s speech
	var text strings.Builder
	pos := 0
	take := func(from, bodyStart, bodyEnd, end int) {
		text.WriteString(reply[pos:from])
		s.gaps = append(s.gaps, gap{at: text.Len(), length: end - from})
		s.thinking = append(s.thinking, strings.TrimSpace(reply[bodyStart:bodyEnd]))
		pos = end
	}
	open := opening.FindStringIndex(reply)
	if m := orphan.FindStringIndex(reply); m != nil && (open == nil || m[0] < open[0]) {
		take(0, 0, m[0], m[1])
	}
	for {
		m := opening.FindStringIndex(reply[pos:])
		if m == nil {
			break
		}
		start, body := pos+m[0], pos+m[1]
		end := closing.FindStringIndex(reply[body:])
		if end == nil {
			take(start, body, len(reply), len(reply))
			s.unfinished = true
			break
		}
		take(start, body, body+end[0], body+end[1])
	}
	text.WriteString(reply[pos:])
	s.text = text.String()
	return s
}

// origin is the reply's offset of an offset of the text.
func (s speech) origin(offset int) int {
	out := offset
	for _, g := range s.gaps {
		if g.at > offset {
			break
		}
		out += g.length
	}
	return out
}
