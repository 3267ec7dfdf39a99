package offline

import (
	"regexp"
	"strings"
	"sync"

	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/internal/text"
)

type extractionReply struct {
	Words *string `json:"words"` // null if the rules find no answer
}

// copula matches a verb between a thing and its description, such as "is".
var copula = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^(?:.*\s)?(?:is|are|was|were|equals|makes)\s+(.+?)[\s.!]*$`)
})

// ruleExtraction copies the answer from a message. This is the answer that datasets/answer reads. If it finds
// none, it is the text after the last "is" of a sentence. That text must have the wanted type, and all such
// sentences must agree.
func ruleExtraction(b blocks) (any, error) {
	d, err := b.need("question", "kind of value", "message")
	if err != nil {
		return nil, err
	}
	t, err := answer.ParseType(d[1])
	if err != nil {
		return nil, err
	}
	message := d[2]
	if f := answer.Extract(message, d[0], t); f.Short != "" && strings.Contains(message, f.Short) {
		if _, ok := exactKey(f.Short, t); ok {
			return extractionReply{&f.Short}, nil
		}
	}
	words, key := "", ""
	for _, at := range text.Sentences(message) {
		said := copula().FindStringSubmatch(strings.ReplaceAll(at.Of(message), "\n", " "))
		if said == nil {
			continue
		}
		k, ok := exactKey(said[1], t)
		switch {
		case !ok:
		case key != "" && key != k:
			return extractionReply{}, nil
		default:
			words, key = said[1], k
		}
	}
	if key == "" {
		return extractionReply{}, nil
	}
	return extractionReply{&words}, nil
}

// exactKey returns the key of a text that is a value of the type. ok is false if the text is not such a value,
// or if it can be read in several ways.
func exactKey(short string, t answer.Type) (string, bool) {
	k, err := answer.Normalize(short, t, answer.Options{})
	return k.Key, err == nil && k.Confidence == answer.Exact
}
