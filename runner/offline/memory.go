package offline

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/offline/protocol"
)

// given reads the documents in a message before the first turn. They are memories of the person who asks. Every
// look-up uses these documents in addition to its results.
func given(m model.Message) []document {
	content := m.Content
	if at := strings.Index(content, "<<data "); at >= 0 {
		content = content[at:]
	}
	docs := observation{text: protocol.Unfenced(content)}.documents()
	return slices.DeleteFunc(docs, func(d document) bool { return forbidden(d.Snippet) })
}

// ownThing matches a question about something of the user, such as "my dog". If there are no memories, the
// reader abstains from such a question.
var ownThing = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\b(?:who|whose|whom|which|what|when|where|how)\b.*?\bmy\b`)
})

// ruleRanking orders memories, or summaries of results, by the words that they have in common with the
// question: by the share of these words in the question and in the text. It leaves out texts that have no word
// in common with it.
func ruleRanking(data blocks) (any, error) {
	label := "memories"
	if _, given := data["results"]; given {
		label = "results"
	}
	pieces, err := data.need("question", label)
	if err != nil {
		return nil, err
	}
	shares := map[int]float64{}
	for line := range strings.Lines(pieces[1]) {
		number, memory, _ := strings.Cut(line, ". ")
		n, err := strconv.Atoi(number)
		if both := share(pieces[0], memory); err == nil && both > 0 {
			shares[n] = both + share(memory, pieces[0])
		}
	}
	ranks := slices.SortedFunc(maps.Keys(shares),
		func(a, b int) int { return cmp.Or(cmp.Compare(shares[b], shares[a]), a-b) })
	return map[string][]int{"ranks": append([]int{}, ranks...)}, nil
}

// ruleSummary writes the sentence that summarises a tool call. If the call failed, the sentence says this.
// Otherwise it quotes the first sentence of the document that has the most words in common with the question,
// with the id of the document.
func ruleSummary(data blocks) (any, error) {
	pieces, err := data.need("question", "result")
	if err != nil {
		return nil, err
	}
	o := observation{text: protocol.Unfenced(pieces[1])}
	if strings.HasPrefix(o.text, "ERROR:") {
		return map[string]string{"summary": "The call failed."}, nil
	}
	best, most := "The call returned no document.", -1.0
	for _, d := range o.documents() {
		n := share(pieces[0], d.Title+" "+d.Snippet)
		if first := text.Sentences(d.Snippet); n > most && len(first) > 0 {
			best, most = "It found: "+d.Title+": "+first[0].Of(d.Snippet)+" ["+d.ID+"]", n
		}
	}
	return map[string]string{"summary": best}, nil
}
