package inject

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Characters that show nothing. Some are needed: joiners in emoji and in scripts whose
// letters change shape, variation selectors, the tags of a region's flag.

const (
	tagFirst, tagLast     = 0xE0020, 0xE007E
	tagCancel             = 0xE007F
	blackFlag             = 0x1F3F4 // begins the flag of a region, spelled in tags
	nonJoiner, joiner     = 0x200C, 0x200D
	variation, variation2 = 0xFE00, 0xE0100
	emojiStyle            = 0xFE0F
	enclosingKeycap       = 0x20E3
)

// stripInvisible removes the characters that show nothing and counts them. It
// returns apart the ASCII text spelled in Unicode tag characters. Joiners and
// variation selectors behind letters that are not ASCII, and the tags of a flag, are
// removed without being counted.
func stripInvisible(text string) (visible, hidden string, count int) {
	if strings.IndexFunc(text, isInvisible) < 0 {
		return text, "", 0
	}
	var shown, tags strings.Builder
	previous, inFlag := rune(' '), false
	for _, r := range text {
		tag := r >= tagFirst && r <= tagCancel
		switch {
		case !isInvisible(r):
			shown.WriteRune(r)
			previous, inFlag = r, r == blackFlag
		case tag && inFlag, previous > unicode.MaxASCII && (r == nonJoiner || r == joiner || isVariation(r)):
		case tag && r <= tagLast:
			tags.WriteRune(r - tagFirst + ' ')
			count++
		default:
			count++
		}
	}
	return shown.String(), tags.String(), count
}

func isVariation(r rune) bool {
	return r >= variation && r < variation+16 || r >= variation2 && r < variation2+240
}

func isInvisible(r rune) bool {
	if r <= unicode.MaxASCII {
		return false
	}
	switch r {
	case 0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180B, 0x180C, 0x180D, 0x2800, 0x3164, 0xFFA0: // fillers
		return true
	}
	return unicode.Is(unicode.Cf, r) || isVariation(r)
}

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
			s.out.WriteString(text[i:end])
			s.base = rune(text[end-1])
			s.last = s.base
			i = end
			continue
		}
		if flag := regionFlag(text[i:]); flag != "" {
			s.settle(0)
			s.out.WriteString(flag)
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
		case r == '\r' || r == '\v' || r == '\f' || r == 0x85 || r == 0x2028 || r == 0x2029:
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
	case joins(s.base, r), r == emojiStyle && s.last == s.base && strings.ContainsRune("0123456789#*", s.base):
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

// selects reports whether the variation selector has a use after base.
func selects(base, selector rune) bool {
	switch {
	case selector == 0xFE0E || selector == emojiStyle:
		return isPictograph(base)
	case isVariation(selector):
		return unicode.Is(unicode.Han, base) || selector < 0xFE0E && unicode.Is(unicode.Sm, base)
	case selector >= 0x180B && selector <= 0x180D:
		return unicode.Is(unicode.Mongolian, base)
	}
	return false
}

// joins reports whether the joiner or non-joiner has a use beside r: in a script whose
// letters change shape by their neighbours, or the joiner between emoji.
func joins(r, sign rune) bool {
	shapes := r > unicode.MaxLatin1 && unicode.In(r, unicode.Arabic, unicode.Syriac, unicode.Nko, unicode.Mongolian, unicode.Devanagari,
		unicode.Bengali, unicode.Gurmukhi, unicode.Gujarati, unicode.Oriya, unicode.Tamil, unicode.Telugu, unicode.Kannada,
		unicode.Malayalam, unicode.Sinhala, unicode.Khmer, unicode.Myanmar, unicode.Tibetan)
	return sign == nonJoiner && shapes || sign == joiner && (shapes || isPictograph(r))
}

func isPictograph(r rune) bool {
	return r >= 0x1F000 && r <= 0x1FAFF || r >= 0x2190 && r <= 0x2BFF || strings.ContainsRune("©®‼⁉™ℹ〰〽㊗㊙", r)
}

// regionFlag returns the flag of England, Scotland or Wales with which text begins:
// the only tag sequences that are more than hidden letters.
func regionFlag(text string) string {
	mark := string(rune(blackFlag))
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

// plainEnd returns the end of the printable ASCII and plain line ends that begin at i.
func plainEnd(text string, i int) int {
	for i < len(text) && (text[i] >= ' ' && text[i] < 0x7F || text[i] == '\n' || text[i] == '\t') {
		i++
	}
	return i
}

func codePoint(r rune) string { return fmt.Sprintf("U+%04X", r) }
