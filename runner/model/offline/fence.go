package offline

import (
	"strings"
	"unicode"
)

// unfenced gives what stands inside a data fence, as a request's instructions may put one
// around what tools return:
//
//	<<data NONCE>>
//	the data
//	<<end NONCE>>
//
// or what stands marked by a private-use character in place of, or before, every space.
// Text without a fence, or with one that is not closed, is returned as it is; what follows
// the fence is the harness's own word to a language model.
func unfenced(text string) string {
	rest, opened := strings.CutPrefix(text, "<<data ")
	if !opened {
		return unmarked(text)
	}
	nonce, rest, lined := strings.Cut(rest, ">>\n")
	if !lined || strings.ContainsAny(nonce, " \n") {
		return text
	}
	data, _, closed := strings.Cut(rest, "\n<<end "+nonce+">>")
	if !closed {
		return text
	}
	return data
}

// unmarked reads private-use characters as the spaces that they stand for.
func unmarked(text string) string {
	if !strings.ContainsFunc(text, privateUse) {
		return text
	}
	var b strings.Builder
	mark := false
	for _, r := range text {
		if mark && !unicode.IsSpace(r) {
			b.WriteByte(' ')
		}
		if mark = privateUse(r); !mark {
			b.WriteRune(r)
		}
	}
	return b.String()
}

func privateUse(r rune) bool { return r >= 0xE000 && r <= 0xF8FF }
