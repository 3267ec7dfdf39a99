package inject

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// showOnly removes the characters that show nothing, except where a script or an
// emoji is wrong without them, and turns odd line ends into plain ones.
func showOnly(text string, log *changeLog) string {
	if plainEnd(text, 0) == len(text) {
		return text
	}
	s := shower{log: log}
	for i := 0; i < len(text); {
		if end := plainEnd(text, i); end > i {
			s.settle(rune(text[i]))
			s.show(text[i:end])
			s.base = rune(text[end-1])
			s.last = s.base
			i = end
			continue
		}
		if flag := regionFlag(text[i:]); flag != "" {
			s.settle(0)
			s.show(flag)
			s.last, s.base = tagCancel, blackFlag
			i += len(flag)
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		i += size
		switch {
		case r == utf8.RuneError && size == 1:
			s.settle(0)
			s.log.note(Control, "broken UTF-8")
			s.put(utf8.RuneError)
		case r == '\r' && strings.HasPrefix(text[i:], "\n"):
			s.settle(0)
			s.put(r)
		case isLineEnd(r):
			s.settle(0)
			s.log.note(Control, codePoint(r))
			s.put('\n')
		case unicode.Is(unicode.Cc, r) && r != '\n' && r != '\t':
			s.log.note(Control, codePoint(r))
		case showsNothing(r):
			s.hold(r)
		default:
			s.settle(r)
			s.put(r)
		}
	}
	s.settle(0)
	return s.out.String()
}

// shower writes what is seen. A joiner waits for the letter after it, which decides
// whether it was needed.
type shower struct {
	out     strings.Builder
	log     *changeLog
	base    rune // the last visible character
	last    rune // the last character written
	waiting rune
}

func (s *shower) show(text string) { s.out.WriteString(text) }

func (s *shower) put(r rune) {
	s.out.WriteRune(r)
	s.base, s.last = r, r
}

// hold keeps r back if it may be needed, and drops it otherwise.
func (s *shower) hold(r rune) {
	switch {
	case s.waiting != 0:
	case s.last == s.base && selects(s.base, r):
		s.out.WriteRune(r)
		s.last = r
		return
	case joins(s.base, r), r == emojiStyle && s.last == s.base && isKeycap(s.base):
		s.waiting = r
		return
	}
	s.log.note(Invisible, codePoint(r))
}

// settle decides on the character that waits, now that next is known to follow; 0
// is a border.
func (s *shower) settle(next rune) {
	r := s.waiting
	s.waiting = 0
	switch {
	case r == 0:
	case r == emojiStyle && next == enclosingKeycap, r != emojiStyle && joins(next, r):
		s.out.WriteRune(r)
		s.last = r
	default:
		s.log.note(Invisible, codePoint(r))
	}
}

const (
	emojiStyle      = 0xFE0F
	enclosingKeycap = 0x20E3
)

// selects reports whether the variation selector has a use after base.
func selects(base, selector rune) bool {
	switch {
	case selector == 0xFE0E || selector == emojiStyle:
		return isPictograph(base)
	case selector >= variation && selector < 0xFE0E:
		return unicode.Is(unicode.Han, base) || unicode.Is(unicode.Sm, base)
	case selector >= variation2 && selector < variation2+240:
		return unicode.Is(unicode.Han, base)
	case selector >= 0x180B && selector <= 0x180D:
		return unicode.Is(unicode.Mongolian, base)
	}
	return false
}

// joins reports whether the joiner or non-joiner has a use beside r.
func joins(r, joiner rune) bool {
	return joiner == nonJoiner && isJoining(r) || joiner == 0x200D && (isJoining(r) || isPictograph(r))
}

// isJoining reports whether r is of a script whose letters change shape by their neighbours.
func isJoining(r rune) bool {
	return r > unicode.MaxLatin1 && unicode.In(r, unicode.Arabic, unicode.Syriac, unicode.Nko, unicode.Mongolian, unicode.Devanagari,
		unicode.Bengali, unicode.Gurmukhi, unicode.Gujarati, unicode.Oriya, unicode.Tamil, unicode.Telugu, unicode.Kannada,
		unicode.Malayalam, unicode.Sinhala, unicode.Khmer, unicode.Myanmar, unicode.Tibetan)
}

func isPictograph(r rune) bool {
	return r >= 0x1F000 && r <= 0x1FAFF || r >= 0x2190 && r <= 0x2BFF || r == '©' || r == '®' || r == 0x203C || r == 0x2049 ||
		r == 0x2122 || r == 0x2139 || r == 0x3030 || r == 0x303D || r == 0x3297 || r == 0x3299
}

func isKeycap(r rune) bool { return r >= '0' && r <= '9' || r == '#' || r == '*' }

// regionFlag returns the flag of England, Scotland or Wales with which text begins:
// the only tag sequences that are more than hidden letters.
func regionFlag(text string) string {
	const mark = "\U0001F3F4"
	if !strings.HasPrefix(text, mark) {
		return ""
	}
	for _, region := range [...]string{"gbeng", "gbsct", "gbwls"} {
		flag := mark + strings.Map(func(r rune) rune { return r - ' ' + tagFirst }, region) + string(rune(tagCancel))
		if strings.HasPrefix(text, flag) {
			return flag
		}
	}
	return ""
}

// showsNothing is isInvisible without the format characters that do show, and with
// the code points reserved for such as do not.
func showsNothing(r rune) bool {
	switch {
	case r >= 0x0600 && r <= 0x0605, r == 0x06DD, r == 0x070F, r == 0x0890, r == 0x0891, r == 0x08E2, r == 0x110BD, r == 0x110CD:
		return false
	case r >= 0xE0000 && r <= 0xE0FFF, r >= 0xFFF0 && r <= 0xFFF8, r == 0x2065:
		return true
	}
	return isInvisible(r)
}

func isLineEnd(r rune) bool {
	return r == '\r' || r == '\v' || r == '\f' || r == 0x85 || r == 0x2028 || r == 0x2029
}

// plainEnd returns the end of the printable ASCII and plain line ends that begin at i.
func plainEnd(text string, i int) int {
	for i < len(text) && (text[i] >= ' ' && text[i] < 0x7F || text[i] == '\n' || text[i] == '\t') {
		i++
	}
	return i
}

func codePoint(r rune) string { return fmt.Sprintf("U+%04X", r) }
