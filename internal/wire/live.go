package wire

// Live passes the content on as it arrives, without the key: the end of a piece that may be
// the beginning of the key waits for the next piece.
type Live struct {
	key  Key
	show func(string)

	pending string
	written int // bytes
}

// NewLive passes the content to show.
func NewLive(key Key, show func(string)) *Live { return &Live{key: key, show: show} }

// Add takes each piece of the content. A nil Live ignores it.
func (l *Live) Add(piece string) {
	if l == nil || piece == "" {
		return
	}
	_, hider := l.key()
	text := hider.Hide(l.pending + piece)
	complete := hider.Complete(text)
	l.write(complete)
	l.pending = text[len(complete):]
}

// Rest passes on the remainder of the complete content, from which the key is removed. A nil
// Live ignores it.
func (l *Live) Rest(content string) {
	if l != nil && l.written < len(content) {
		l.write(content[l.written:])
	}
}

func (l *Live) write(text string) {
	if text != "" {
		l.written += len(text)
		l.show(text)
	}
}
