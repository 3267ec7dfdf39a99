package dialect

import (
	"errors"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// tagForm is a row of tags.tsv.
type tagForm struct {
	body, name int // numbers of groups of openTag; name is 0 if the arguments name the tool
	end        *regexp.Regexp
}

// tagForms returns the rows of tags.tsv, and one expression that matches the opening tag of any row.
var tagForms = sync.OnceValues(func() (forms []tagForm, openTag *regexp.Regexp) {
	var openings []string
	group := 0
	for _, row := range tableRows(tagTable) {
		f := tagForm{end: regexp.MustCompile("(?i)" + row[1])}
		if n := regexp.MustCompile(row[0]).NumSubexp(); n > 1 {
			f.name = group + 1
			group++
		}
		group++
		f.body = group
		forms, openings = append(forms, f), append(openings, row[0])
	}
	return forms, regexp.MustCompile("(?i)" + strings.Join(openings, "|"))
})

// tag is a tool call in the markup of a chat template, which the server should have removed from the text.
type tag struct {
	start, body int
	name        string
	end         *regexp.Regexp
}

// findTags returns the tags in a text, each up to its arguments. A tag is only an example and not a call if it
// comes after a quote character, is in a quoted line, or has its end inside a sentence.
func findTags(text string) []tag {
	var out []tag
	forms, openTag := tagForms()
	line, seen := 0, 0 // line is the start of the tag's line; text before seen was searched for line ends
	for _, m := range openTag.FindAllStringSubmatchIndex(text, -1) {
		if i := strings.LastIndexByte(text[seen:m[0]], '\n'); i >= 0 {
			line = seen + i + 1
		}
		seen = m[0]
		if m[0] > 0 && strings.IndexByte("\"'`", text[m[0]-1]) >= 0 || text[line] == '>' {
			continue
		}
		for _, f := range forms {
			if m[2*f.body] < 0 {
				continue
			}
			t := tag{start: m[0], body: m[2*f.body], end: f.end}
			if f.name > 0 {
				t.name = text[m[2*f.name]:m[2*f.name+1]]
			}
			if len(out) < maxCandidates && strings.TrimSpace(text[line:m[0]]) != "" && goesOn(t, text) {
				continue
			}
			out = append(out, t)
		}
	}
	return out
}

// goesOn reports whether the sentence around a tag continues after the tag, on the same line.
func goesOn(t tag, text string) bool {
	line, _, _ := strings.Cut(text[t.body:], "\n")
	end := t.end.FindStringIndex(line)
	if end == nil {
		return false
	}
	after := strings.TrimLeft(line[end[1]:], " \t`\"'")
	return after != "" && after[0] != '<' && after[0] != '['
}

// readTag looks for a tag before an offset.
func (p *parser) readTag(before int) bool {
	found := findTags(p.text)
	if len(found) == 0 || found[0].start >= before {
		return false
	}
	at := found[0]
	p.turn.Thought = p.thoughtBefore(at.start)
	end := p.endOf(at)
	p.takeTag(at, p.text[at.body:end])
	after, _ := slices.BinarySearchFunc(p.marks, end, func(m mark, end int) int { return m.start - end })
	p.turn.Dropped += p.actionsFrom(after)
	for _, t := range found[1:] {
		if t.start >= end { // not within the arguments of the previous tag
			p.addFurther(func(q *parser) {
				end = q.endOf(t)
				q.takeTag(t, q.text[t.body:end])
			})
		}
	}
	return true
}

// endOf returns the end of a tag's arguments.
func (p *parser) endOf(t tag) int {
	if m := t.end.FindStringIndex(p.text[t.body:]); m != nil {
		return t.body + m[0]
	}
	return len(p.text)
}

// takeTag turns the parsed turn into the call in the body of a tag.
func (p *parser) takeTag(t tag, body string) {
	p.turn.Dialect = Tag
	body = quoteTokens(strings.TrimRight(body, " \t\r\n"))
	if m := namedBody.FindStringSubmatchIndex(body); m != nil && t.name == "" {
		t.name, body = body[m[2]:m[3]], body[m[4]:]
	}
	switch {
	case t.name != "" && strings.HasPrefix(body, "("):
		p.takeCall(t.name, body)
		return
	case t.name != "" && !strings.HasPrefix(body, "{"):
		sig := signatureOf(t.name, p.tools)
		arguments, repaired, err := sig.bind(taggedValues(body))
		if p.turn.Problem, p.turn.Repaired = err, repaired; err == nil {
			p.call(t.name, arguments, sig)
		}
		return
	}
	if list := strings.TrimLeft(body, "[ \t\r\n"); t.name == "" && list != body && callHead.MatchString(list) {
		body = list // calls in Python's notation
	}
	if head := callHead.FindStringSubmatch(body); head != nil && t.name == "" {
		p.takeCallList(head[1], body[len(head[1]):])
		return
	}
	v, ok := firstJSON(body)
	calls := callsIn(v.raw)
	if t.name != "" {
		calls = []jsonCall{{name: t.name, arguments: []byte(v.raw)}}
	}
	if !ok || len(calls) == 0 {
		p.fail(Tag, errors.New("the tool_call is not a JSON object with name and arguments"))
		return
	}
	if calls[0].result {
		p.cutResult(t.body, body)
	}
	p.takeCalls(Tag, calls, v.repaired)
}

// takeCallList stores the first of several calls in Python's notation as the parsed turn, and adds the other
// calls. rest begins at the opening bracket of the first call.
func (p *parser) takeCallList(name, rest string) {
	rest = strings.TrimLeft(rest, " \t")
	p.takeCall(name, rest)
	c, closed := scanCall(rest)
	if !closed {
		return
	}
	after := rest[min(len(rest), len(c.inner)+2):]
	for _, m := range nextCall.FindAllStringSubmatchIndex(after, maxFurther) {
		p.addFurther(func(q *parser) { q.takeCall(after[m[2]:m[3]], after[m[3]:]) })
	}
}

// cutResult removes from Kept a result that the model wrote into its call. It may remove a part of the call,
// too.
func (p *parser) cutResult(at int, body string) {
	p.turn.Invented = true
	i := max(0, strings.Index(body, `"result"`)) // -1: the key has another spelling
	if end := at + i; end < len(p.turn.Kept) {
		p.turn.Kept = strings.TrimRight(p.turn.Kept[:end], " \t\r\n,")
	}
}
