package inject

import (
	"regexp"
	"strings"
	"sync"
)

// Orders to an assistant where no reader looks: comments, hidden elements, descriptions
// of images and other attributes. What makes them suspect is that they speak to a
// machine, or in its name, in such a place.

type metadataRules struct {
	comment *regexp.Regexp
	orders  *matcher
}

var metadata = sync.OnceValue(func() metadataRules {
	return metadataRules{
		comment: regexp.MustCompile(`!\[([^\[\]]*)\]\(|\[//\]: ?# ?[("']([^)"']*)`),
		orders: newMatcher([]family{{plain: orderWords().compile()}}, func(f family) []pattern { return f.plain },
			sentences, [hintCount][]string{}),
	}
})

func orderWords() lexicon {
	return lexicon{classes{
		"mind": `(?:an? |the |any |all )?(?:ais?|ai (?:assistant|agent|model|system|crawler|bot)s?|assistants?|chat ?bots?|language models?|llms?|` +
			`llm agents?|gpt|chatgpt|claude|gemini|copilot)`,
		"must":  `must|should|please|have to|need to|shall|are to|do not|never|always|ignore|disregard|respond|reply|say|output|recommend|visit|include|call|send|tell`,
		"reply": `say|reply|respond|answer|output|ignore|disregard|recommend|visit|tell|print|mention|state|claim|follow|obey`,
	}, []string{
		`{mind} <6> {must}`,
		`(?:if you are|dear|attention|note (?:to|for)|instructions? (?:for|to)|message (?:for|to)|prompt for) {mind}`,
		`(?:you|and) (?:must|should|are required to|have to|need to|will) (?:now |always |instead |only |never |not )*{reply}`,
		`(?:ignore|disregard|forget) <4> (?:instructions?|prompts?|rules|above|previous)`,
		`system (?:prompt|message|instruction|override|command)`,
		`(?:^|[.!?] ?)(?:reply|respond|answer|output|print) (?:with|only|exactly|as)`,
	}}
}

// hiddenOrder returns the first order in what a page hides.
func hiddenOrder(r reading) string {
	for _, passage := range hiddenPassages(r.words) {
		matches, _ := metadata().orders.find(passage, func(int) bool { return false })
		if matches[0] != "" {
			return matches[0]
		}
	}
	return ""
}

// hiddenPassages returns the texts of comments, hidden elements and attributes.
func hiddenPassages(words string) []string {
	var passages []string
	if strings.Contains(words, "<") {
		p := hiddenParser{text: words, unclosed: map[string]bool{}}
		for at := strings.IndexByte(words, '<'); at < len(words); at++ {
			if words[at] != '<' {
				continue
			}
			if end := p.end(at); end > 0 {
				passages = append(passages, strings.Trim(words[at:end], "<!->"))
				at = end - 1
			}
		}
	}
	passages = appendAttributes(passages, words)
	for _, sign := range [...]string{"![", "[//]"} {
		if strings.Contains(words, sign) {
			for _, groups := range metadata().comment.FindAllStringSubmatch(words, -1) {
				passages = append(passages, groups[1]+groups[2])
			}
			break
		}
	}
	return passages
}

// appendAttributes adds the quoted values of the attributes that hold text.
func appendAttributes(passages []string, words string) []string {
	for at := 0; ; {
		equals := strings.IndexByte(words[at:], '=')
		if equals < 0 {
			return passages
		}
		name := attributeName(words[at : at+equals])
		at += equals + 1
		value := strings.TrimLeft(words[at:], " ")
		if value == "" || value[0] != '"' && value[0] != '\'' || !holdsText(name) {
			continue
		}
		if end := strings.IndexByte(value[1:], value[0]); end >= 0 {
			passages = append(passages, value[1:1+end])
		}
	}
}

// attributeName returns the word at the end of s.
func attributeName(s string) string {
	s = strings.TrimRight(s, " ")
	start := len(s)
	for start > 0 && isTagLetter(s[start-1]) {
		start--
	}
	return s[start:]
}

func holdsText(attribute string) bool {
	switch attribute {
	case "alt", "title", "aria-label", "aria-description", "content", "placeholder", "summary", "label", "value":
		return true
	}
	return strings.HasPrefix(attribute, "data-")
}
