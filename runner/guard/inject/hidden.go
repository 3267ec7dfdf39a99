package inject

import (
	"regexp"
	"strings"
	"sync"
)

// dropHidden removes HTML comments and elements that a browser would not show. A
// comment that never ends is no comment to a model either: its opening is defused
// with the other marks.
func dropHidden(text string, log *changeLog) string {
	if !strings.Contains(text, "<") {
		return text
	}
	var out strings.Builder
	p := hiddenParser{text: text, unclosed: map[string]bool{}}
	kept := 0
	for at := 0; ; {
		next := strings.IndexByte(text[at:], '<')
		if next < 0 {
			break
		}
		at += next
		end := p.end(at)
		if end == 0 {
			at++
			continue
		}
		log.note(Hidden, text[at:end])
		out.WriteString(text[kept:at])
		at, kept = end, end
	}
	if kept == 0 {
		return text
	}
	return out.String() + text[kept:]
}

// hiddenParser remembers which closings are not to be found any more, so that no
// search is made twice in vain.
type hiddenParser struct {
	text     string
	unclosed map[string]bool
}

// end returns where the hidden part that begins at the < ends, or 0 if none begins.
func (p *hiddenParser) end(at int) int {
	const open, closing = "<!--", "-->"
	rest := p.text[at:]
	if strings.HasPrefix(rest, open) {
		if p.unclosed[closing] {
			return 0
		}
		// The dashes of an opening may be those of its closing: <!-->.
		if i := strings.Index(rest[len("<!"):], closing); i >= 0 {
			return at + len("<!") + i + len(closing)
		}
		p.unclosed[closing] = true
		return 0
	}
	stop := strings.IndexAny(rest[1:], "<>") + 1
	if stop == 0 || rest[stop] != '>' {
		return 0
	}
	name, attributes := splitTag(rest[1:stop])
	if !hideable()[name] || name != "template" && !hides(attributes) {
		return 0
	}
	if name == "input" || strings.HasSuffix(attributes, "/") {
		return at + stop + 1
	}
	return p.elementEnd(name, at+stop+1)
}

// elementEnd returns the end of the element name whose content begins at from, or 0
// if nothing closes it. Where openings and closings do not match, the last closing
// counts.
func (p *hiddenParser) elementEnd(name string, from int) int {
	if p.unclosed[name] {
		return 0
	}
	last, depth := 0, 1
	for at := from; depth > 0; {
		next := strings.IndexByte(p.text[at:], '<')
		if next < 0 {
			break
		}
		at += next + 1
		closes := strings.HasPrefix(p.text[at:], "/")
		if closes {
			at++
		}
		if !beginsTag(p.text[at:], name) {
			continue
		}
		if !closes {
			depth++
			continue
		}
		depth--
		last = len(p.text)
		if stop := strings.IndexByte(p.text[at:], '>'); stop >= 0 {
			last = at + stop + 1
		}
	}
	p.unclosed[name] = last == 0
	return last
}

// beginsTag reports whether text begins with the tag name, in either case, and no longer one.
func beginsTag(text, name string) bool {
	if len(text) < len(name) || !strings.EqualFold(text[:len(name)], name) {
		return false
	}
	return len(text) == len(name) || !isTagLetter(text[len(name)])
}

func isTagLetter(b byte) bool {
	return b|0x20 >= 'a' && b|0x20 <= 'z' || b >= '0' && b <= '9' || b == '-'
}

// splitTag parts "div class=x" into its name and attributes, in lower case.
func splitTag(tag string) (name, attributes string) {
	end := 0
	for end < len(tag) && isTagLetter(tag[end]) {
		end++
	}
	return strings.ToLower(tag[:end]), strings.ToLower(strings.TrimSpace(tag[end:]))
}

// hideable are the elements that a page hides text in.
var hideable = sync.OnceValue(func() map[string]bool {
	names := map[string]bool{}
	for _, name := range strings.Fields(`a abbr article aside b blockquote body button center code dd details div dl dt em
		figcaption figure font footer form h1 h2 h3 h4 h5 h6 header html i input label li main mark nav ol p pre q
		section small span strong sub summary sup table tbody td template th tr tt u ul`) {
		names[name] = true
	}
	return names
})

type hidingRules struct{ attribute, style, unseen, colour, background *regexp.Regexp }

var hiding = sync.OnceValue(func() hidingRules {
	const colour = `(#[0-9a-f]{3,8}|[a-z]+|rgba?\([^)]*\))`
	return hidingRules{
		attribute: regexp.MustCompile(`(?:^|\s|["'])(?:hidden(?:\s|=|/|$)|type\s*=\s*["']?hidden\b)`),
		style:     regexp.MustCompile(`\bstyle\s*=\s*("[^"]*"|'[^']*'|[^\s"']+)`),
		unseen: regexp.MustCompile(`(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|` +
			`(?:font-size|opacity)\s*:\s*0*(?:0|\.0\d*)[a-z%]*\s*(?:[;"'!]|$)|` +
			`(?:left|top|text-indent)\s*:\s*-\d{3,}|[^-\w]color\s*:\s*(?:transparent|rgba\([^)]*,\s*0\)))`),
		colour:     regexp.MustCompile(`[^-\w]color\s*:\s*` + colour),
		background: regexp.MustCompile(`\bbackground(?:-color)?\s*:\s*` + colour),
	}
})

// hides reports whether an element with these attributes is not to be seen.
func hides(attributes string) bool {
	if attributes == "" {
		return false
	}
	rules := hiding()
	if rules.attribute.MatchString(attributes) {
		return true
	}
	for _, style := range rules.style.FindAllStringSubmatch(attributes, -1) {
		declared := ";" + strings.Trim(style[1], `"'`)
		if rules.unseen.MatchString(declared) {
			return true
		}
		ink, paper := rules.colour.FindStringSubmatch(declared), rules.background.FindStringSubmatch(declared)
		if ink != nil && paper != nil && shade(ink[1]) == shade(paper[1]) {
			return true
		}
	}
	return false
}

// shade gives the many names of white one.
func shade(colour string) string {
	colour = strings.ReplaceAll(colour, " ", "")
	switch colour {
	case "#fff", "#ffffff", "#ffffffff", "rgb(255,255,255)", "rgba(255,255,255,1)":
		return "white"
	}
	return colour
}
