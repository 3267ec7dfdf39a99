package asking

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"unicode"

	"github.com/seed-5817661a/concur/model"
)

// Messages returns a request's messages: the instructions, and then the data. The instructions come first
// because they are equal in all requests of a kind, and servers and providers cache the common beginning of
// requests. A fixed sentence follows the data, so that the last words are the caller's.
func Messages(instructions string, seed int64, data ...Block) []model.Message {
	return []model.Message{
		{Role: model.System, Content: instructions},
		{Role: model.User, Content: strings.Join(Fences(seed, data...), "") +
			"\nThe data ends here. Reply as you were told above."},
	}
}

// Block is a text of another author, which a model reads as data. It is cut to Max bytes.
type Block struct {
	Label, Text string
	Max         int
}

// Data returns a block of at most limit bytes.
func Data(label, text string, limit int) Block { return Block{Label: label, Text: text, Max: limit} }

// Fences returns blocks with borders, so that no text in them looks like the prompt around them:
//
//	[question 1f0e…]
//	| Who wrote Emma?
//	[end question 1f0e…]
//
// Every line of data begins with a bar, so it cannot look like a border, a role or a field of the reply. Borders
// contain a nonce of 128 bits, derived from the data and the run's seed: equal runs send equal bytes. It cannot be
// forged, because a text would have to contain its own hash.
func Fences(seed int64, blocks ...Block) []string {
	shown := make([]string, len(blocks))
	for i, b := range blocks {
		shown[i] = "| " + strings.ReplaceAll(Cut(Visible(b.Text), b.Max), "\n", "\n| ")
	}
	nonce := nonceFor(seed, strings.Join(shown, "\x00"))
	for i, b := range blocks {
		shown[i] = fmt.Sprintf("[%s %s]\n%s\n[end %s %s]\n", b.Label, nonce, shown[i], b.Label, nonce)
	}
	return shown
}

// nonceFor derives a nonce from the data that the data does not contain.
func nonceFor(seed int64, data string) string {
	for n := 0; ; n++ {
		sum := sha256.Sum256(fmt.Appendf(nil, "%d\x00%d\x00%s", seed, n, data))
		if nonce := hex.EncodeToString(sum[:16]); !strings.Contains(strings.ToLower(data), nonce) {
			return nonce
		}
	}
}

// Visible removes invisible characters, and replaces every kind of line break by a newline.
func Visible(s string) string {
	s = strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\r\n", "\n")
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		switch r {
		case '\n', '\r', '\v', '\f', 0x85, 0x2028, 0x2029:
			return '\n'
		case '\t':
			return ' '
		case 0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0: // fillers, which are shown as blanks
			return -1
		}
		if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Variation_Selector, r) {
			return -1
		}
		return r
	}, s))
}

// Cut shortens a text to at most limit bytes, at the end of a character, and adds a note.
func Cut(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	return strings.ToValidUTF8(s[:limit], "") + fmt.Sprintf("\n[cut here: %d of %d bytes]", limit, len(s))
}
