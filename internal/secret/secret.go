// Package secret removes keys from texts of other programs. Some servers quote the key that was sent: in an
// address, in JSON, in a header in base64, or in a dump in hex. So the package finds a key in every such
// spelling. It also recognises texts that look like keys.
package secret

import (
	"math/bits"
	"strings"
)

// Mark replaces a secret.
const Mark = "[API key]"

// Hider finds all spellings of some secrets. A nil Hider hides nothing.
type Hider struct {
	secrets []string
	targets []target
	longest int // length in bytes of the longest spelling

	// These sets have a bit for each target: itself and escape by the byte with which the target can begin, as
	// itself or in an escape; second by the byte that can begin its second character, or a separator before
	// that. They let most bytes of a text be skipped.
	itself, escape, second [256][]uint64
}

// New returns a Hider of the secrets, without those that CanHide excludes.
func New(secrets ...string) *Hider {
	h := &Hider{}
	for _, s := range secrets {
		if !CanHide(s) {
			continue
		}
		h.secrets = append(h.secrets, s)
		for _, t := range targetsOf(s) {
			h.targets = append(h.targets, t)
			h.longest = max(h.longest, len(t.text)*(longestUnit+longestGap))
		}
	}
	words := (len(h.targets) + 63) / 64
	all := make([]uint64, 3*256*words)
	for b := range 256 {
		for _, set := range []*[]uint64{&h.itself[b], &h.escape[b], &h.second[b]} {
			*set, all = all[:words:words], all[words:]
		}
		escape, bare, letter := beginsEscape(byte(b)), beginsNumber(byte(b)), isLetter(rune(b)) || isDigit(byte(b))
		for i := range h.targets {
			t, word, bit := &h.targets[i], i/64, uint64(1)<<(i%64)
			escapes := escape || t.bare && bare
			if t.is(rune(b), 0) == 1 {
				h.itself[b][word] |= bit
			}
			if escapes {
				h.escape[b][word] |= bit
			}
			if escapes || t.gaps && !letter || t.is(rune(b), 1) == 1 {
				h.second[b][word] |= bit
			}
		}
	}
	return h
}

// With returns a Hider that also hides further secrets. h may be nil and is not changed.
func (h *Hider) With(secrets ...string) *Hider {
	if h == nil {
		return New(secrets...)
	}
	return New(append(h.secrets[:len(h.secrets):len(h.secrets)], secrets...)...)
}

// Hide replaces every secret in a text with Mark.
func (h *Hider) Hide(text string) string {
	var out strings.Builder
	var m matcher
	done := 0
	for i := 0; h != nil && i < len(text); {
		n, _ := h.at(text, i, &m)
		if n == 0 {
			i++
			continue
		}
		out.WriteString(text[done:i] + Mark)
		i += n
		done = i
	}
	if done == 0 {
		return text
	}
	return out.String() + text[done:]
}

// Complete returns the beginning of a text that cannot end inside a secret, whatever text follows.
func (h *Hider) Complete(text string) string {
	if h == nil {
		return text
	}
	var m matcher
	for i := max(0, len(text)-h.longest); i < len(text); i++ {
		if _, cut := h.at(text, i, &m); cut {
			return text[:i]
		}
	}
	return text
}

// at returns the length of the longest spelling at a place in a text. cut reports whether the text ends inside a
// spelling.
func (h *Hider) at(whole string, place int, m *matcher) (n int, cut bool) {
	text := whole[place:]
	itself, escape := h.itself[text[0]], h.escape[text[0]]
	for word := range itself {
		left := itself[word]
		if len(text) > 1 {
			left &= h.second[text[1]][word]
		}
		for left |= escape[word]; left != 0; left &= left - 1 {
			t := &h.targets[word*64+bits.TrailingZeros64(left)]
			if t.word && continues(whole[:place]) {
				continue
			}
			length, ends := m.match(t, text)
			if t.word && length > 0 && length < len(text) && isAlphanumeric(text[length]) {
				continue
			}
			n, cut = max(n, length), cut || ends
		}
	}
	return n, cut
}

// Error returns an error whose text has no secret. errors.Is and errors.As still find its causes. It returns
// nil for nil.
func (h *Hider) Error(err error) error {
	if h == nil || err == nil {
		return err
	}
	return hidden{err, h}
}

type hidden struct {
	error
	hider *Hider
}

func (h hidden) Error() string { return h.hider.Hide(h.error.Error()) }
func (h hidden) Unwrap() error { return h.error }
