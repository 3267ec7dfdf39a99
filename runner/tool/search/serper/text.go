package serper

import (
	"encoding/json"
	"errors"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Bounds in bytes. A snippet is as long as the corpus would show it.
const (
	maxTitle   = 300
	maxText    = 1200
	maxMessage = 300
	maxLink    = 2000
	maxFacts   = 20
)

// text is a field that the vendors fill with a string, a number or a list of them. Other
// values are read as "", so that one odd field does not cost a whole reply.
type text string

// UnmarshalJSON never fails.
func (t *text) UnmarshalJSON(raw []byte) error {
	*t = text(scalar(raw))
	if len(raw) > 0 && raw[0] == '[' {
		var list []json.RawMessage
		if json.Unmarshal(raw, &list) != nil {
			return nil
		}
		var parts []string
		for _, item := range list { // one level only: each further one would read the rest again
			if s := scalar(item); s != "" {
				parts = append(parts, s)
			}
		}
		*t = text(strings.Join(parts, "; "))
	}
	return nil
}

func scalar(raw []byte) string {
	if len(raw) == 0 {
		return ""
	}
	switch c := raw[0]; {
	case c == '"':
		var s string
		if json.Unmarshal(raw, &s) != nil {
			return ""
		}
		return s
	case c == '-', '0' <= c && c <= '9', c == 't', c == 'f':
		return string(raw)
	}
	return ""
}

// aside reads a part beside the results. It may be missing or of another shape; a
// field of the wrong type reads as nothing.
func aside(raw json.RawMessage, into any) bool {
	if len(raw) == 0 || raw[0] != '{' {
		return false
	}
	err := json.Unmarshal(raw, into)
	_, wrong := errors.AsType[*json.UnmarshalTypeError](err)
	return err == nil || wrong
}

func (r *reply) add(kind string, title, link, words text) {
	h := hit{kind: kind, title: string(title), link: string(link), text: string(words)}
	if strings.TrimSpace(h.title+h.text) != "" {
		r.hits = append(r.hits, h)
	}
}

func first(of ...text) text {
	for _, t := range of {
		if t != "" {
			return t
		}
	}
	return ""
}

// answerText puts the short answer before the passage it was taken from; the highlighted
// words stand in for both.
func answerText(answer, snippet, highlighted text) text {
	switch {
	case answer != "" && snippet != "" && answer != snippet:
		return answer + " — " + snippet
	default:
		return first(answer, snippet, highlighted)
	}
}

// graphText spells an entity out: type, description, facts in the order of their names.
func graphText(kind, description text, attributes map[string]text) text {
	var parts []string
	for _, t := range []text{kind, description} {
		if s := strings.TrimRight(strings.TrimSpace(string(t)), "."); s != "" {
			parts = append(parts, s)
		}
	}
	names := make([]string, 0, len(attributes))
	for name, value := range attributes {
		if value != "" {
			names = append(names, name)
		}
	}
	sort.Strings(names)
	for _, name := range names[:min(len(names), maxFacts)] {
		parts = append(parts, name+": "+string(attributes[name]))
	}
	return text(strings.Join(parts, ". "))
}

// fit makes a vendor's text fit to show: no control characters or halves of characters,
// white space collapsed, the key taken out, at most n bytes. The key goes after the
// cleaning, which could have joined it, and before the cut, which could have halved it.
func (b *Backend) fit(s string, n int) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.IsControl(r), r == utf8.RuneError:
			return -1
		}
		return r
	}, s)
	s = b.hider.Hide(strings.Join(strings.Fields(s), " "))
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "") + "…"
}
