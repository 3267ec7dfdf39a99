package inject

import "strings"

// scope selects the part of a reading in which a pattern is searched.
type scope string

const (
	inSentence scope = ""       // in each sentence separately
	inText     scope = "text"   // across sentences
	inLine     scope = "line"   // at the beginning of each line, up to a colon
	inHidden   scope = "hidden" // in text that a page does not show: comments, hidden elements, attributes
	inLink     scope = "link"   // in the query of each address
	inImage    scope = "image"  // in the query of each image address, which clients load automatically
)

const (
	maxURL   = 512 // maximum number of bytes of an address that are read
	maxLabel = 48  // maximum number of bytes of a label before a colon
)

// in returns the parts of a reading that belong to a scope.
func (r *reading) in(where scope) []string {
	if where == inText {
		return []string{r.words}
	}
	if r.scopes == nil {
		r.scopes = map[scope][]string{}
	}
	texts, known := r.scopes[where]
	if !known {
		switch where {
		case inLine:
			texts = lineHeads(r.lines)
		case inHidden:
			texts = hiddenPassages(r.words)
		case inLink, inImage:
			texts = addresses(r.words, where == inImage)
		}
		r.scopes[where] = texts
	}
	return texts
}

// lineHeads returns the beginnings of lines up to a colon. It leaves out lines whose colon is too far from the
// beginning.
func lineHeads(lines string) (heads []string) {
	for line := range strings.Lines(lines) {
		head := line[:min(len(line), maxLabel)]
		if colon := strings.IndexByte(head, ':'); colon >= 0 {
			heads = append(heads, head[:colon+1])
		}
	}
	return heads
}

// markdownHidden matches the descriptions of images and the comments of Markdown.
var markdownHidden = compiled(`!\[([^\[\]]*)\]\(|\[//\]: ?# ?[("']([^)"']*)`)

// hiddenPassages returns the texts of comments, hidden elements and attributes.
func hiddenPassages(words string) (passages []string) {
	if strings.Contains(words, "<") {
		page := readMarkup(words)
		for _, s := range page.hidden {
			passages = append(passages, strings.Trim(words[s.start:s.end], "<!->"))
		}
		passages = append(passages, page.attributes...)
	}
	if strings.Contains(words, "![") || strings.Contains(words, "[//]") {
		for _, groups := range markdownHidden().FindAllStringSubmatch(words, -1) {
			passages = append(passages, groups[1]+groups[2])
		}
	}
	return passages
}

// addresses returns the queries of all addresses or, if images is true, only of Markdown's images.
func addresses(words string, images bool) (queries []string) {
	for rest := words; ; {
		at := strings.Index(rest, "http")
		if at < 0 {
			return queries
		}
		title, link := strings.CutSuffix(strings.TrimSuffix(rest[max(0, at-maxURL):at], " "), "](")
		open := strings.LastIndexByte(title, '[')
		image := link && open > 0 && title[open-1] == '!'
		rest = rest[at+len("http"):]
		address := rest[:min(len(rest), maxURL)]
		address, _, _ = strings.Cut(address, "http")
		if end := strings.IndexAny(address, `"'()`); end >= 0 {
			address = address[:end]
		}
		if query := strings.IndexByte(address, '?'); query >= 0 && (image || !images) {
			queries = append(queries, address[query:])
		}
	}
}
