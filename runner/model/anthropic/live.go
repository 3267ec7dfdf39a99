package anthropic

import "strings"

// live tells a caller the content while it comes, without the key: where a piece ends in
// what may be the key's beginning, that much waits for the next piece.
type live struct {
	key  string
	show func(string)

	held string
	told int // bytes
}

// add is called with each piece of the content. A nil live tells nobody.
func (l *live) add(piece string) {
	if l == nil || piece == "" {
		return
	}
	text := newSecret(l.key).hide(l.held + piece)
	hold := 0
	for n := min(len(text), len(l.key)-1); n > 0; n-- {
		if strings.HasSuffix(text, l.key[:n]) {
			hold = n
			break
		}
	}
	l.tell(text[:len(text)-hold])
	l.held = text[len(text)-hold:]
}

// rest tells what of the whole content was not told yet.
func (l *live) rest(content string) {
	if l.told < len(content) {
		l.tell(content[l.told:])
	}
}

func (l *live) tell(text string) {
	if text != "" {
		l.told += len(text)
		l.show(text)
	}
}
