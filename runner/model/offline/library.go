package offline

import "sync"

// library keeps the articles that a reader has taken apart, for the traces of a run read the
// same documents at every turn. An article does not change.
type library struct {
	lock     sync.Mutex
	articles map[document]*article
}

const maxKept = 4096 // articles; above that the library starts again

func (l *library) article(d document) *article {
	l.lock.Lock()
	a := l.articles[d]
	l.lock.Unlock()
	if a != nil {
		return a
	}
	a = newArticle(d)
	l.lock.Lock()
	defer l.lock.Unlock()
	if len(l.articles) >= maxKept {
		clear(l.articles)
	}
	l.articles[d] = a
	return a
}
