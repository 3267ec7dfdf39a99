package asking

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"unicode"

	"github.com/seed-5817661a/concur/runner/model"
)

// Messages puts instructions, the same in every request of their kind, before the data:
// servers and providers keep what requests have in common at their beginning. One fixed
// sentence stands behind it, so that ours is the last word.
func Messages(instructions string, seed int64, data ...Block) []model.Message {
	return []model.Message{
		{Role: model.System, Content: instructions},
		{Role: model.User, Content: Fence(seed, data...) + "\nThe data ends here. Reply as you were told above."},
	}
}

// Block is a piece of data for a model to read: what others wrote, at most Max bytes of it.
type Block struct {
	Label, Text string
	Max         int
}

// Data is a block of at most limit bytes.
func Data(label, text string, limit int) Block { return Block{Label: label, Text: text, Max: limit} }

// Fence shows blocks so that nothing in them can pass for the prompt around them:
//
//	[question 1f0e…]
//	| Who wrote Emma?
//	[end question 1f0e…]
//
// Every line of data begins with a bar, so no data begins a line as a border, a role or
// a field of the reply does. Borders carry a nonce of 128 bits. It is drawn from the
// data and the run's seed rather than from a random source, so that an equal run sends
// equal bytes; it is as hard to forge, since whoever writes the data would have to
// find a text that holds its own hash, and it is drawn again should the data hold it.
func Fence(seed int64, blocks ...Block) string {
	shown := make([]string, len(blocks))
	for i, b := range blocks {
		shown[i] = bar(Cut(Visible(b.Text), b.Max))
	}
	nonce := nonceFor(seed, strings.Join(shown, "\x00"))
	var out strings.Builder
	for i, b := range blocks {
		fmt.Fprintf(&out, "[%s %s]\n%s\n[end %s %s]\n", b.Label, nonce, shown[i], b.Label, nonce)
	}
	return out.String()
}

// nonceFor draws until the data does not hold the nonce.
func nonceFor(seed int64, data string) string {
	for n := 0; ; n++ {
		sum := sha256.Sum256(fmt.Appendf(nil, "%d\x00%d\x00%s", seed, n, data))
		if nonce := hex.EncodeToString(sum[:16]); !strings.Contains(strings.ToLower(data), nonce) {
			return nonce
		}
	}
}

// bar begins every line with a bar.
func bar(s string) string { return "| " + strings.ReplaceAll(s, "\n", "\n| ") }

// Visible drops what has no glyph and makes every kind of line break a newline.
func Visible(s string) string {
	s = strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\r\n", "\n")
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		switch r {
		case '\n', '\r', '\v', '\f', 0x85, 0x2028, 0x2029:
			return '\n'
		case '\t':
			return ' '
		case 0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0: // fillers
			return -1
		}
		if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Variation_Selector, r) {
			return -1
		}
		return r
	}, s))
}

// Cut keeps at most limit bytes, to the border of a character, and says so.
func Cut(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	return strings.ToValidUTF8(s[:limit], "") + fmt.Sprintf("\n[cut here: %d of %d bytes]", limit, len(s))
}
