package secret

import "strings"

// leastKey is the length of the shortest part that Redact replaces, in bytes.
const leastKey = 11

// RedactLong returns the same as Redact, for a text of many words. It gives only those words to Redact that can be a
// key, because the expressions of Redact read some hundred kilobytes a second.
func RedactLong(text string) string {
	var out strings.Builder
	done, last := 0, 0 // last is the beginning of the word before this one
	for i := 0; i < len(text); {
		if !inKey[text[i]] {
			i++
			continue
		}
		start, special := i, false
		for i < len(text) && inKey[text[i]] {
			special = special || marksKey[text[i]]
			i++
		}
		word, header := text[start:i], strings.TrimRight(text[last:start], " ")
		last = start
		redacted := word
		switch {
		case len(word) < leastKey:
		case len(header) < start && (strings.EqualFold(header, "bearer") || strings.EqualFold(header, "basic")):
			redacted = strings.TrimPrefix(Redact("bearer "+word), "bearer ")
		case special || beginsKey(word):
			redacted = Redact(word)
		}
		if redacted != word {
			out.WriteString(text[done:start])
			out.WriteString(redacted)
			done = i
		}
	}
	if done == 0 {
		return text
	}
	return out.String() + text[done:]
}

// beginsKey reports whether a word of letters alone can begin a key: the keys of AWS, Google and Atlassian.
func beginsKey(word string) bool {
	for _, prefix := range []string{"AKIA", "ASIA", "AIza", "ATATT"} {
		if strings.Contains(word, prefix) {
			return true
		}
	}
	return false
}

// inKey has the bytes of words. A word has one of marksKey if it is a key, except for the keys of beginsKey.
var inKey, marksKey = func() (in, marks [256]bool) {
	for c := range 256 {
		b := byte(c)
		in[c] = isDigit(b) || isLetter(rune(b)) || strings.IndexByte("_.+/=~:-", b) >= 0
		marks[c] = isDigit(b) || strings.IndexByte("_-.", b) >= 0
	}
	return in, marks
}()
