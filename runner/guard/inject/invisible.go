package inject

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	tagFirst, tagLast     = 0xE0020, 0xE007E
	tagCancel             = 0xE007F
	blackFlag             = 0x1F3F4 // begins the flag of a region, spelled in tags
	nonJoiner, joiner     = 0x200C, 0x200D
	variation, variation2 = 0xFE00, 0xE0100
)

// stripInvisible removes the characters that show nothing and counts them. It
// returns apart the ASCII text spelled in Unicode tag characters. Joiners and
// variation selectors between letters that need them, as in emoji, Persian and
// Indic scripts, and the tags of a flag are removed without being counted.
func stripInvisible(text string) (visible, hidden string, count int) {
	if !hasInvisible(text) {
		return text, "", 0
	}
	var shown, tags strings.Builder
	previous, inFlag := rune(' '), false
	for _, r := range text {
		if !isInvisible(r) {
			shown.WriteRune(r)
			previous, inFlag = r, r == blackFlag
			continue
		}
		switch {
		case r >= tagFirst && r <= tagCancel:
			if inFlag {
				continue
			}
			if r <= tagLast {
				tags.WriteRune(r - tagFirst + ' ')
			}
		case shapes(r) && previous > unicode.MaxASCII:
			continue
		}
		count++
	}
	return shown.String(), tags.String(), count
}

func hasInvisible(text string) bool {
	for i := 0; i < len(text); {
		if text[i] < utf8.RuneSelf {
			i++
			continue
		}
		r, width := utf8.DecodeRuneInString(text[i:])
		if isInvisible(r) {
			return true
		}
		i += width
	}
	return false
}

// shapes reports whether r has an honest use after a letter that is not ASCII.
func shapes(r rune) bool {
	return r == nonJoiner || r == joiner || isVariation(r)
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
