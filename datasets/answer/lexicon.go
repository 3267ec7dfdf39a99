package answer

import (
	"regexp"
	"strings"
	"sync"

	"github.com/seed-5817661a/concur/internal/text"
)

// maxSentenceBytes is the longest sentence that is looked at as a refusal.
const maxSentenceBytes = 600

// intent recognises a folded sentence in which the writer refuses or abstains. It must say so of itself at its start,
// so that a quoted or reported refusal is none, and must not go on to give the answer.
func intent(sentence string) Kind {
	if len(sentence) > maxSentenceBytes {
		return None
	}
	s := stripOpeners(sentence)
	switch at := intents().FindStringSubmatchIndex(s); {
	case at == nil || givesAnswer(s[at[1]:]):
		return None
	case at[2] >= 0:
		return Refused
	}
	return Abstained
}

// intents finds a refusal, its only group, or an abstention at the start of a sentence. It tells "I can't help", also
// with nothing behind it, from "I can't find". What tells of a search that failed, or of what cannot be done at all,
// is never a refusal, nor is "I can't help myself".
var intents = sync.OnceValue(func() *regexp.Regexp {
	any := vocabulary().pattern
	const ends = ` ?(?:$|[^\pL\pM\p{Nd} ])`
	adverb := `\b(?: ` + any("adverb") + `\b)?`
	refuses := any("refuse") + `\b|` + any("unable") + adverb +
		`(?:` + ends + `| ` + any("refusing") + `\b| help(?:` + ends + `| ` + any("helped") + `\b))`
	abstains := any("abstain") + `\b|` + any("unable", "failed") + adverb + ` ` + any("abstaining") + `\b`
	return regexp.MustCompile(`^(?:(` + refuses + `)|` + abstains + `)`)
})

// openers are apologies and the like before the sentence proper.
var openers = expression(`^(?:`, `\b[ ,;:\-.!]*){1,4}`, "opener")

func stripOpeners(s string) string { return openers().ReplaceAllString(s, "") }

// contrast may lead back to an answer.
var contrast = phrases("contrast")

// givesAnswer looks for a contrast that leads back to an answer: "but it was
// 1969" does, "but I can tell you more about it" does not.
func givesAnswer(s string) bool {
	for _, at := range contrast().FindAllStringIndex(s, -1) {
		word, _ := text.FirstWord(strings.TrimLeft(s[at[1]:], " ,"))
		if word != "" && !vocabulary().has("offer", word) {
			return true
		}
	}
	return false
}
