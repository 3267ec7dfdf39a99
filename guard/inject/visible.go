package inject

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/seed-5817661a/concur/internal/text"
)

// This file handles invisible characters. Some of them are necessary: joiners in emoji and in scripts whose
// letters change shape, variation selectors, and the tags in the flag of a region.

const (
	tagFirst, tagLast     = 0xE0020, 0xE007E
	tagCancel             = 0xE007F
	blackFlag             = 0x1F3F4 // beginning of a region's flag, whose name follows in tag characters
	nonJoiner, joiner     = 0x200C, 0x200D
	variation, variation2 = 0xFE00, 0xE0100
	keycap                = "\u20E3"
)

// stripInvisible removes invisible characters and counts them. hidden is the ASCII text that is spelled in
// Unicode tag characters. Two kinds are removed but not counted, because they have a use: joiners and variation
// selectors after letters that are not ASCII, and the tags of a flag.
func stripInvisible(s string) (visible, hidden string, count int) {
	if strings.IndexFunc(s, isInvisible) < 0 {
		return s, "", 0
	}
	var shown, tags strings.Builder
	previous, inFlag := rune(' '), false
	for _, r := range s {
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

// isInvisible reports whether Unicode defines r as invisible, or r is the blank Braille pattern.
func isInvisible(r rune) bool { return text.IsInvisible(r) || r == 0x2800 }

// showOnly removes invisible characters. It keeps joiners and selectors that change the character before them
// (see takes). It replaces unusual line ends by plain ones.
func showOnly(given string, log *changeLog) string {
	plain := func(r rune) bool { return r >= ' ' && r < 0x7F || r == '\n' || r == '\t' }
	if strings.IndexFunc(given, func(r rune) bool { return !plain(r) }) < 0 {
		return given
	}
	var out strings.Builder
	base := rune(0) // the last character, if a sign can follow it
	for i := 0; i < len(given); {
		r, size := utf8.DecodeRuneInString(given[i:])
		if r == blackFlag {
			size = max(size, len(regionFlag().FindString(given[i:])))
		}
		shown, after := given[i:i+size], given[i+size:]
		i += size
		switch {
		case plain(r), r == '\r' && strings.HasPrefix(after, "\n"):
		case r == utf8.RuneError && size == 1:
			log.note(Control, "broken UTF-8")
			shown = "\uFFFD"
		case strings.ContainsRune("\r\v\f\u0085\u2028\u2029", r):
			log.note(Control, fmt.Sprintf("U+%04X", r))
			shown = "\n"
		case unicode.Is(unicode.Cc, r):
			log.note(Control, fmt.Sprintf("U+%04X", r))
			continue
		case showsNothing(r) && !takes(base, r, after):
			log.note(Invisible, fmt.Sprintf("U+%04X", r))
			continue
		}
		out.WriteString(shown)
		base = r
	}
	return out.String()
}

// takes reports whether sign, a joiner or a selector, has a use after base. It has one after a letter of a
// script other than Latin, after a picture, and in a keycap emoji. after is the text after sign.
func takes(base, sign rune, after string) bool {
	if sign != nonJoiner && sign != joiner && !isVariation(sign) && (sign < 0x180B || sign > 0x180D) {
		return false
	}
	return base > unicode.MaxLatin1 && (!isInvisible(base) || sign == joiner) || strings.ContainsRune("©®", base) ||
		strings.HasPrefix(after, keycap) && strings.ContainsRune("0123456789#*", base)
}

// regionFlag matches the flags of England, Scotland and Wales (gbeng, gbsct, gbwls). No other sequences of tag
// characters have a meaning.
var regionFlag = compiled(`^\x{1F3F4}\x{E0067}\x{E0062}(?:\x{E0065}\x{E006E}\x{E0067}|` +
	`\x{E0073}\x{E0063}\x{E0074}|\x{E0077}\x{E006C}\x{E0073})\x{E007F}`)

// showsNothing reports whether a character is invisible. It differs from isInvisible in two points: format
// characters that are visible do not count, and code points that are reserved for invisible characters do.
func showsNothing(r rune) bool {
	return !unicode.Is(unicode.Prepended_Concatenation_Mark, r) &&
		(isInvisible(r) || unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r))
}
