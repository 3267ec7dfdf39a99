package dialect

import (
	"errors"
	"regexp"
	"strings"
)

// tag is a call that a chat template should have taken out of the text.
var tag = regexp.MustCompile("(?i)<tool_call>\\s*(?:```[a-z]{0,10}\\s*)?([\\[{])")

const tagEnd = "</tool_call>"

// readTag looks for a tag before an offset.
func (p *parser) readTag(before int) bool {
	found := p.tags()
	if len(found) == 0 || found[0].start >= before {
		return false
	}
	at := found[0]
	p.turn.Thought = p.thoughtBefore(at.start)
	p.takeTag(at.end)
	end := len(p.text)
	if i := strings.Index(p.text[at.end:], tagEnd); i >= 0 {
		end = at.end + i
	}
	for _, t := range found[1:] {
		if t.start >= end { // not within the first one's arguments
			p.turn.Dropped++
		}
	}
	p.turn.Dropped += p.actionsAfter(end)
	return true
}

// tags are the tags in the text, up to their JSON. One behind quotes is only spoken of.
func (p *parser) tags() []span {
	var out []span
	for _, m := range tag.FindAllStringSubmatchIndex(p.text, -1) {
		if m[0] == 0 || strings.IndexByte("\"'`", p.text[m[0]-1]) < 0 {
			out = append(out, span{m[0], m[2]})
		}
	}
	return out
}

// takeTag makes the turn what the JSON at an offset says.
func (p *parser) takeTag(at int) {
	body := p.text[at:]
	if i := strings.Index(body, tagEnd); i >= 0 {
		body = body[:i]
	}
	v, ok := firstJSON(body)
	calls := callsIn(v.raw)
	if !ok || len(calls) == 0 {
		p.fail(Tag, errors.New("the tool_call is not a JSON object with name and arguments"))
		return
	}
	p.turn.Dropped = len(calls) - 1
	if calls[0].result {
		p.cutResult(at, body)
	}
	p.takeJSON(Tag, calls[0], v.repaired)
}

// cutResult takes a result that the model wrote into its call out of what is kept. It may
// take too much of the call with it, never too little.
func (p *parser) cutResult(at int, body string) {
	p.turn.Invented = true
	i := max(0, strings.Index(body, `"result"`)) // 0: the key is written some other way
	if end := at + i; end < len(p.turn.Kept) {
		p.turn.Kept = strings.TrimRight(p.turn.Kept[:end], " \t\r\n,")
	}
}
