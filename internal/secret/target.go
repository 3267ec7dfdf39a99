package secret

import (
	"encoding/base32"
	"encoding/base64"
	"slices"
	"strings"
	"unicode/utf8"
)

// target is a text that is found in all spellings of its characters: a secret, or its form in an encoding.
type target struct {
	text string
	fold bool // upper and lower case are the same
	gaps bool // separators may be between the characters, up to longestGap bytes
	bare bool // characters may be bare numbers: hex, decimal, octal, binary
	base bool // base64; its other alphabet has - for + and _ for /
	word bool // not inside a longer word
}

// targetsOf returns the texts to find for a secret: the secret, its reverse, and its base64 and base32 forms at
// any position in the encoded text.
//
// A secret of only letters or only digits may be a word or a number in ordinary text, so it is found only
// without separators and in its own case.
func targetsOf(secret string) []target {
	if len(secret) < sure {
		return shortTargets(secret)
	}
	loose := strings.ContainsAny(secret, "0123456789") && strings.ContainsFunc(secret, isLetter)
	out := []target{{text: secret, fold: loose, gaps: loose, bare: true}}
	cases := []string{secret}
	if loose {
		reversed := []byte(secret)
		slices.Reverse(reversed)
		out = append(out, target{text: string(reversed), fold: true, gaps: true})
		cases = append(cases, strings.ToLower(secret), strings.ToUpper(secret))
	}
	base64 := base64.RawStdEncoding.EncodeToString
	for before := range 3 {
		for _, written := range cases {
			out = append(out, target{text: inBase(base64, 6, written, before), gaps: true, base: true})
		}
		for again := range 3 {
			twice := inBase(base64, 6, inBase(base64, 6, secret, before), again)
			out = append(out, target{text: twice, gaps: true, base: true})
		}
	}
	for before := range 5 {
		text := inBase(base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString, 5, secret, before)
		out = append(out, target{text: text, fold: true, gaps: true})
	}
	slices.SortFunc(out, func(a, b target) int { return strings.Compare(a.text, b.text) })
	return slices.CompactFunc(out, func(a, b target) bool { return a == b })
}

func isLetter(r rune) bool { return 'a' <= r|0x20 && r|0x20 <= 'z' }

// inBase returns those characters of an encoding (of bits bits each) that depend only on the secret, if it
// follows before other bytes, such as those of "Bearer ".
func inBase(encode func([]byte) string, bits int, secret string, before int) string {
	text := encode([]byte(strings.Repeat("x", before) + secret))
	first, last := (8*before+bits-1)/bits, 8*(before+len(secret))/bits
	return text[first:last]
}

// beginsEscape reports whether an escape that can encode every character may begin with this byte.
func beginsEscape(b byte) bool { return strings.IndexByte(`%\&`, b) >= 0 || b >= utf8.RuneSelf }

// beginsNumber reports whether a byte can begin the number of a character.
func beginsNumber(b byte) bool { return strings.IndexByte("=uU", b) >= 0 || isHex(b) }

// is returns the number of bytes of the target, from byte at on, that a character matches; 0 if it does not
// match.
func (t *target) is(r rune, at int) int {
	if c := t.text[at]; r < utf8.RuneSelf && c < utf8.RuneSelf {
		want := rune(c)
		switch {
		case r == want, t.fold && r|0x20 == want|0x20 && isLetter(r):
			return 1
		case want == ' ' && r == '+': // in a query of a URL
			return 1
		case t.base && (want == '+' && r == '-' || want == '/' && r == '_'):
			return 1
		}
		return 0
	}
	if rest := t.text[at:]; r >= utf8.RuneSelf && strings.HasPrefix(rest, string(r)) {
		return utf8.RuneLen(r)
	}
	return 0
}

// places holds the positions in a text at which the rest of a target may continue. There are few: after the
// last character, or after separators.
type places struct {
	at [16]int
	n  int
}

func (p *places) add(at int) {
	if p.n < len(p.at) && !slices.Contains(p.at[:p.n], at) {
		p.at[p.n] = at
		p.n++
	}
}

// matcher compares texts with targets. Its memory is reused.
type matcher struct {
	target *target
	text   string
	ahead  [utf8.UTFMax + 1]places // places for the next bytes of the target, modulo its length
	read   readings
}

// match returns the length of the longest spelling of a target at the beginning of a text; 0 if no spelling
// is there. cut reports whether the text ends inside a spelling. A character may mean itself or begin an
// escape, so several readings are followed at the same time.
func (m *matcher) match(t *target, text string) (n int, cut bool) {
	m.target, m.text = t, text
	for i := range m.ahead {
		m.ahead[i].n = 0
	}
	m.ahead[0].add(0)
	for at := range len(t.text) {
		now := &m.ahead[at%len(m.ahead)]
		for _, begin := range now.at[:now.n] {
			cut = m.next(at, begin) || cut
		}
		now.n = 0
		live := 0
		for i := range m.ahead {
			live += m.ahead[i].n
		}
		if live == 0 {
			return 0, cut
		}
	}
	last := &m.ahead[len(t.text)%len(m.ahead)]
	if last.n == 0 {
		return 0, cut
	}
	return slices.Max(last.at[:last.n]), cut
}

// next reads a character of the target at a place, after separators if they are allowed, and adds the places
// after it. It reports whether the text ends inside the character.
func (m *matcher) next(at, begin int) (cut bool) {
	t := m.target
	end := &m.ahead[len(t.text)%len(m.ahead)]
	within := uint64(1) // a bit for each place from begin that only separators lead to
	for skipped := 0; within != 0 && skipped <= longestGap; skipped, within = skipped+1, within>>1 {
		place := begin + skipped
		switch {
		case within&1 == 0:
			continue
		case skipped > 0 && at == len(t.text)-1 && end.n > 0:
			return cut // the secret is complete, and a further sign is not part of it
		case place == len(m.text):
			return true
		}
		c := m.text[place]
		if plainOnly[c] { // most of ordinary text
			m.found(reading{char: rune(c), size: 1}, at, place)
			if t.bare && isHex(c) {
				cut = cut || place+1 == len(m.text)
				if b, ok := hexByte(m.text[place:]); ok {
					m.found(reading{char: rune(b), size: 2, raw: true}, at, place)
				}
			}
			continue
		}
		m.read.of(m.text[place:], t.bare)
		cut = cut || m.read.cut
		for _, r := range m.read.found[:m.read.n] {
			m.found(r, at, place)
			if t.gaps && at > 0 && separates(r, c) && skipped+r.size <= longestGap {
				within |= 1 << r.size
			}
		}
		if n := tagLength(m.text[place:]); t.gaps && at > 0 && n > 0 && skipped+n <= longestGap {
			within |= 1 << n
		}
	}
	return cut
}

// found adds the place after a matching character.
func (m *matcher) found(r reading, at, place int) {
	n := 0
	if r.raw && m.target.text[at] == byte(r.char) {
		n = 1
	} else if !r.raw || r.char < utf8.RuneSelf {
		n = m.target.is(r.char, at)
	}
	if n > 0 {
		m.ahead[(at+n)%len(m.ahead)].add(place + r.size)
	}
}
