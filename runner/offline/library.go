package offline

import (
	"github.com/seed-5817661a/concur/internal/memo"
	"github.com/seed-5817661a/concur/runner/offline/protocol"
)

// library caches documents divided into sentences, because the traces of a run repeat the same questions
// about the same documents.
type library struct {
	articles  memo.Memo[document, *article]
	questions memo.Memo[string, question]
	requests  memo.Memo[string, bool]     // requests, with whether they are forbidden
	abouts    memo.Memo[string, []string] // concepts of the descriptions of tools
	schemas   memo.Memo[string, protocol.Arguments]
}

func (l *library) article(d document) *article {
	return l.articles.Get(d, func() *article { return newArticle(d) })
}
