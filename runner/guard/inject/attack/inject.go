package attack

import "strings"

// Inject returns text with the payload of c in it, in its obfuscation and at its position:
// a paragraph of its own before or after the text, or at the space nearest its middle.
// text is what a tool would show, or one field of it, before it is encoded as JSON.
func Inject(text string, c Case) string {
	payload := c.Obfuscation.write(c.Payload, c.Want)
	switch {
	case text == "":
		return payload
	case c.Position == Start:
		return payload + "\n" + text
	case c.Position == Middle:
		head, tail := halves(text)
		return head + "\n" + payload + "\n" + tail
	}
	return text + "\n" + payload
}

// halves cuts text at the first space in its second half, or else at its end.
func halves(text string) (head, tail string) {
	middle := len(text) / 2
	if i := strings.IndexAny(text[middle:], " \n\t"); i >= 0 {
		return text[:middle+i], text[middle+i+1:]
	}
	return text, ""
}
