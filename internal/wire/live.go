package wire

import "strings"

// Live tells a caller the content while it comes, without the key: where a piece ends in
// what may be the key's beginning, that much waits for the next piece.
type Live struct {
	key  Key
	show func(string)

	held string
	told int // bytes
}

// NewLive tells show.
func NewLive(key Key, show func(string)) *Live { return &Live{key: key, show: show} }

// Add is called with each piece of the content. A nil Live tells nobody.
func (l *Live) Add(piece string) {
	if l == nil || piece == "" {
		return
	}
	text, key := l.key.Hide(l.held+piece), l.key()
	hold := 0
	for n := min(len(text), len(key)-1); n > 0; n-- {
		if strings.HasSuffix(text, key[:n]) {
			hold = n
			break
		}
	}
	l.tell(text[:len(text)-hold])
	l.held = text[len(text)-hold:]
}

// Rest tells what of the whole content, which is without the key, was not told yet.
func (l *Live) Rest(content string) {
	if l.told < len(content) {
		l.tell(content[l.told:])
	}
}

func (l *Live) tell(text string) {
	if text != "" {
		l.told += len(text)
		l.show(text)
	}
}
