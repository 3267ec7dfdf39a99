package loose

import (
	"strings"

	"github.com/seed-5817661a/concur/internal/lazy"
)

// token matches a token of a chat template, such as <|im_end|>, <end_of_turn>, </s>, [/INST] or
// <｜end▁of▁sentence｜>. If the token begins a message, the match includes the role after it.
var token = lazy.Compile(`(?i)<[|｜][^<>\n]{1,60}[|｜]>|</?(?:s|eos|bos|pad|unk)>|` +
	`<(?:start|end)_of_(?:turn|text|image)>|<\|?end(?:of|▁of▁)(?:text|sentence)\|?>|\[/?INST\]|\[/?BREAK\]`)

// idleWords matches words before an object that have no meaning for it: roles, and the language of a fence.
var idleWords = lazy.Compile(`(?i)^(?:assistant|model|final|json5?|python|output|answer|reply|result|verdict)$`)

// idle are the characters that may surround an object: fences, emphasis, brackets of a list, dots.
const idle = " \t\r\n\v\f`*_~[](){}.…,;:!\"'“”‘’。，；：=>-\ufeff\u200b\u200c\u200d\u2060\u00a0"

// Idle reports whether a text has only punctuation, fences, tokens of a chat template and comments.
func Idle(text string) bool {
	text = token.ReplaceAllString(text, " ")
	block := len(text) - strings.LastIndex(text, "*/") // length of the text after the last end of a comment */
	for {
		text = strings.TrimLeft(text, idle)
		n := comment(text, len(text) > block)
		if n == 0 {
			return text == ""
		}
		text = text[n:]
	}
}

// Begins reports whether an object after this text is at the beginning of a reply: the text has at most a
// role and the language of a fence.
func Begins(text string) bool {
	text = strings.Trim(token.ReplaceAllString(text, " "), idle)
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(idle, r) }) {
		if !idleWords.MatchString(word) {
			return false
		}
	}
	return true
}

// endOfText returns the length of a text without the tokens of a chat template, fences and dots at its end.
func endOfText(text string) int {
	for {
		text = strings.TrimRight(text, " \t\r\n`*_.…\ufeff\u200b\u00a0")
		from := max(0, len(text)-maxToken)
		start := from + strings.LastIndexAny(text[from:], "<[")
		if start < from || token.FindString(text[start:]) != text[start:] {
			return len(text)
		}
		text = text[:start]
	}
}

// maxToken is an upper bound of the length of a token, in bytes.
const maxToken = 200
