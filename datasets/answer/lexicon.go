package answer

import "strings"

// maxSentenceBytes is the longest sentence that is looked at as a refusal.
const maxSentenceBytes = 600

// intent recognises a sentence in which the writer refuses or abstains. It must
// say so of itself at its start, so that a quoted or reported refusal is none,
// and must not go on to give the answer. next is the sentence after it.
func intent(sentence, next string) Kind {
	if len(sentence) > maxSentenceBytes {
		return None
	}
	kind, rest := opening(stripOpeners(sentence))
	if kind == None || givesAnswer(rest) || startsContrast(next) && givesAnswer(next) {
		return None
	}
	return kind
}

// opening matches the start of a sentence and returns what follows.
func opening(s string) (Kind, string) {
	for _, modal := range []string{
		"i can't", "i cannot", "i can not", "i won't", "i will not", "i'm unable to", "i am unable to",
		"i'm not able to", "i am not able to", "i'm not going to", "i am not going to",
		"we can't", "we cannot", "we won't", "unable to", "i could not", "i couldn't",
		"i was unable to", "i was not able to", "i wasn't able to", "i did not", "i didn't",
		"i'm afraid i can't", "i'm afraid i cannot",
	} {
		rest, ok := cutWord(s, modal)
		if !ok {
			continue
		}
		past := strings.HasPrefix(modal, "i could") || strings.HasPrefix(modal, "i was") || strings.HasPrefix(modal, "i did")
		return verbIntent(rest, past)
	}
	for _, phrase := range []string{
		"i must decline", "i have to decline", "i must refuse", "i refuse to", "i decline to", "i respectfully decline",
	} {
		if rest, ok := cutWord(s, phrase); ok {
			return Refused, rest
		}
	}
	for _, phrase := range []string{
		"i don't know", "i do not know", "i'm not sure", "i am not sure", "i have no information",
		"i don't have enough information", "i do not have enough information",
		"i don't have sufficient information", "i do not have sufficient information",
		"i don't have access", "i do not have access", "it is not possible to determine",
		"it's not possible to determine", "there is not enough information",
		"there isn't enough information", "not enough information", "insufficient information",
		"there is insufficient information", "cannot be determined", "can't be determined",
		"the answer cannot be determined", "the answer could not be found", "no answer could be found",
		"the answer is unknown to me", "the sources do not contain enough information",
	} {
		if rest, ok := cutWord(s, phrase); ok {
			return Abstained, rest
		}
	}
	return None, ""
}

// verbIntent tells "I can't help" from "I can't find". A modal in the past speaks
// of a search that failed, never of a refusal.
func verbIntent(s string, past bool) (Kind, string) {
	s = strings.TrimPrefix(s, "reliably ")
	verb, rest := firstWord(s)
	switch verb {
	case "find", "determine", "locate", "verify", "confirm", "answer", "say", "tell", "identify", "establish", "see":
		return Abstained, rest
	}
	if past {
		return None, ""
	}
	switch verb {
	case "help":
		// "I can't help myself" is no refusal.
		next, _ := firstWord(strings.TrimPrefix(rest, " "))
		if next == "" || next == "with" || next == "you" || next == "in" || next == "anyone" {
			return Refused, rest
		}
	case "", "assist", "provide", "comply", "fulfil", "fulfill", "share", "give", "generate", "create",
		"write", "support", "engage", "participate", "do", "reveal", "disclose", "follow", "discuss",
		"produce", "offer", "pretend", "ignore", "continue", "print", "repeat", "act", "make", "explain":
		return Refused, rest
	}
	return None, ""
}

// stripOpeners removes apologies and the like before the sentence proper.
func stripOpeners(s string) string {
	for range 4 {
		before := s
		for _, opener := range []string{
			"i'm sorry", "i am sorry", "i'm very sorry", "sorry", "i apologize", "i apologise",
			"my apologies", "apologies", "unfortunately", "regrettably", "as an ai language model",
			"as an ai assistant", "as an ai", "thank you for asking", "no", "but", "however", "and", "that",
		} {
			if rest, ok := cutWord(s, opener); ok {
				s = strings.TrimLeft(rest, " ,;:-.!")
			}
		}
		if s == before {
			break
		}
	}
	return s
}

// givesAnswer looks for a contrast that leads back to an answer: "but it was
// 1969" does, "but I can tell you more about it" does not.
func givesAnswer(s string) bool {
	for _, contrast := range []string{"but", "however", "although", "though"} {
		at := indexWord(s, contrast)
		if at < 0 {
			continue
		}
		word, _ := firstWord(strings.TrimLeft(s[at+len(contrast):], " ,"))
		switch word {
		case "", "i", "we", "if", "you", "here", "let", "please", "feel", "happy":
		default:
			return true
		}
	}
	return false
}

func startsContrast(s string) bool {
	word, _ := firstWord(s)
	return word == "but" || word == "however"
}

// indexWord finds a word as a whole.
func indexWord(s, word string) int {
	for from := 0; ; {
		i := strings.Index(s[from:], word)
		if i < 0 {
			return -1
		}
		at := from + i
		if (at == 0 || s[at-1] == ' ' || s[at-1] == ',') && !startsWord(s[at+len(word):]) {
			return at
		}
		from = at + len(word)
	}
}
