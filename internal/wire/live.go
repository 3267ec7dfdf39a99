package wire

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
	_, hider := l.key()
	text := hider.Hide(l.held + piece)
	complete := hider.Complete(text)
	l.tell(complete)
	l.held = text[len(complete):]
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
