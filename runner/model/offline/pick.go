package offline

import (
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
)

type pickReply struct {
	Choice int    `json:"choice"`
	Reason string `json:"reason"`
}

// candidate is one class that may be picked.
type candidate struct {
	number, citations int
	none              int // 1 where it is a refusal or an abstention, not an answer
	hash              string
}

// rulePick picks the candidate whose message cites the most documents; among equals one that answers, then the one
// with the lowest hash of answer and message. The order of the candidates decides nothing.
func rulePick(b blocks) (any, error) {
	var all []candidate
	for n := 1; ; n++ {
		short, ok := b[fmt.Sprintf("candidate %d short answer", n)]
		if !ok {
			break
		}
		message := b[fmt.Sprintf("candidate %d message", n)]
		c := candidate{number: n, citations: len(cited(message)), hash: fmt.Sprintf("%x", sha256.Sum256([]byte(short+"\x00"+message)))}
		if strings.HasPrefix(short, "(none") {
			c.none = 1
		}
		all = append(all, c)
	}
	if len(all) == 0 {
		return nil, errors.New(`the data has no candidates; label them "candidate 1 short answer" and "candidate 1 message"`)
	}
	best := slices.MinFunc(all, func(x, y candidate) int {
		return cmp.Or(y.citations-x.citations, x.none-y.none, cmp.Compare(x.hash, y.hash))
	})
	return pickReply{best.number, fmt.Sprintf("by rule: its message cites %d documents, none cites more", best.citations)}, nil
}

// bracketed is a text in square brackets that looks like ids of documents: letters
// and figures joined by underscores, hyphens and the like, with a figure among them.
var bracketed = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\[([A-Za-z0-9_.:/-]+(?:[,;] ?[A-Za-z0-9_.:/-]+)*)\]`)
})

// cited names the documents that a message cites before its list of references, each once.
func cited(message string) map[string]bool {
	out := map[string]bool{}
	body, _, _ := strings.Cut(message, "\nReferences:")
	for _, m := range bracketed().FindAllStringSubmatch(body, -1) {
		for _, id := range strings.FieldsFunc(m[1], func(r rune) bool { return r == ',' || r == ';' || r == ' ' }) {
			if strings.ContainsAny(id, "0123456789") {
				out[id] = true
			}
		}
	}
	return out
}
