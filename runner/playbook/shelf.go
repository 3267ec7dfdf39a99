package playbook

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/seed-5817661a/concur/internal/rank"
)

// Shelf finds bullets of a book. It is safe for concurrent use. The book must not change.
type Shelf struct {
	book    *Book
	lessons []lesson // of the bullets
	finder  *rank.Finder

	mu      sync.Mutex
	memo    map[string][]Bullet
	figures Figures
}

// Figures counts the searches of a shelf.
type Figures struct {
	Searches int           // searches that the memo did not answer
	Hits     int           // searches that the memo answered
	Time     time.Duration // time of all searches
}

// memoSize is the number of questions for which the bullets are cached.
const memoSize = 128

// NewShelf indexes a book: by BM25 over texts, tools and tags or, if embed is not nil, by the cosine of embeddings.
// The book must not change afterwards.
func NewShelf(ctx context.Context, b *Book, embed rank.Embedder) (*Shelf, error) {
	texts, lessons := make([]string, len(b.Bullets)), make([]lesson, len(b.Bullets))
	for i, x := range b.Bullets {
		texts[i] = strings.Join(slices.Concat([]string{x.Text}, x.Tools, x.Tags), " ")
		lessons[i] = x.lesson()
	}
	finder, err := rank.NewFinder(ctx, texts, embed)
	if err != nil {
		return nil, fmt.Errorf("embed the bullets of a playbook: %w", err)
	}
	return &Shelf{book: b, lessons: lessons, finder: finder, memo: map[string][]Bullet{}}, nil
}

// Hash returns the hash of the book's bullets.
func (s *Shelf) Hash() string { return s.book.Hash() }

// Choice selects bullets.
type Choice struct {
	K         int
	Section   string   // "" means all sections
	WithTools bool     // only bullets that advise a sequence of tools
	Offered   []string // available tools; bullets that name other tools are not selected
	Drafts    bool     // also bullets of the stage Draft
	Category  string   // leaves out bullets of another category; "" for all
}

// eligible reports whether a bullet may be shown.
func (c Choice) eligible(x Bullet) bool {
	return !x.Quarantine() && (c.Section == "" || x.Section == c.Section) && (!c.WithTools || len(x.Tools) > 0) &&
		(c.Drafts || x.Stage == Shown) && (c.Category == "" || x.Category == "" || x.Category == c.Category) &&
		!slices.ContainsFunc(x.Tools, func(t string) bool { return !slices.Contains(c.Offered, t) })
}

// Find returns the K best bullets for a question, by relevance times Bullet.Score. If two are equal, the first
// in the book comes first. It leaves out bullets without relevance, and bullets that have the same lesson as a
// better bullet, or the opposite lesson. The caller must not change the result.
func (s *Shelf) Find(ctx context.Context, question string, c Choice) ([]Bullet, error) {
	key := fmt.Sprintf("%d\x00%s\x00%t\x00%t\x00%s\x00%s\x00%s", c.K, c.Section, c.WithTools, c.Drafts, c.Category,
		strings.Join(c.Offered, " "), question)
	s.mu.Lock()
	known, ok := s.memo[key]
	if ok {
		s.figures.Hits++
	}
	s.mu.Unlock()
	if ok {
		return known, nil
	}
	start := time.Now()
	hits, err := s.finder.Find(ctx, question, len(s.book.Bullets),
		func(i int) bool { return c.eligible(s.book.Bullets[i]) })
	if err != nil {
		return nil, fmt.Errorf("embed a question for a playbook: %w", err)
	}
	for i := range hits {
		hits[i].Score *= s.book.Bullets[hits[i].Document].Score()
	}
	slices.SortFunc(hits, func(a, b rank.Hit) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Document, b.Document))
	})
	order := make([]int, len(hits))
	for i, h := range hits {
		order[i] = h.Document
	}
	found := s.distinct(c.K, order)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.figures.Searches++
	s.figures.Time += time.Since(start)
	if len(s.memo) == memoSize {
		clear(s.memo)
	}
	s.memo[key] = found
	return found, nil
}

// All returns all bullets that may be shown, in the order of the book. If two bullets contradict each other, it
// returns the bullet with the higher Bullet.Score; if the scores are equal, the first. It ignores K.
func (s *Shelf) All(c Choice) []Bullet {
	at := s.eligible(c)
	out, lessons := make([]Bullet, len(at)), make([]lesson, len(at))
	for i, j := range at {
		out[i], lessons[i] = s.book.Bullets[j], s.lessons[j]
	}
	weaker := map[string]bool{}
	for _, pair := range contradictions(lessons) {
		first, second := out[pair[0]], out[pair[1]]
		if second.Score() > first.Score() {
			weaker[first.ID] = true
		} else {
			weaker[second.ID] = true
		}
	}
	return slices.DeleteFunc(out, func(x Bullet) bool { return weaker[x.ID] })
}

// eligible returns the indices of the bullets that may be shown.
func (s *Shelf) eligible(c Choice) (at []int) {
	for i, x := range s.book.Bullets {
		if c.eligible(x) {
			at = append(at, i)
		}
	}
	return at
}

// Random returns K bullets that may be shown, drawn with the question as seed. It serves as a placebo. Like
// Find, it omits the same lesson and the opposite one.
func (s *Shelf) Random(question string, c Choice) []Bullet {
	out := s.eligible(c)
	sum := sha256.Sum256([]byte(s.book.Hash() + question))
	r := rand.New(rand.NewPCG(binary.BigEndian.Uint64(sum[:]), binary.BigEndian.Uint64(sum[8:])))
	r.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	return s.distinct(c.K, out)
}

// Figures returns the counts of the searches so far.
func (s *Shelf) Figures() Figures {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.figures
}

// Borders around advice in a prompt.
const (
	blockStart = "<playbook>"
	blockEnd   = "</playbook>"
)

// Prompt returns bullets for a prompt, marked as advice. tokens estimates its length, at four bytes per token.
func Prompt(bullets []Bullet) (text string, tokens int) {
	if len(bullets) == 0 {
		return "", 0
	}
	var out strings.Builder
	out.WriteString(promptAdvice + "\n" + blockStart + "\n")
	for _, x := range bullets {
		fmt.Fprintf(&out, "[%s] %s\n", x.ID, x.advice())
	}
	out.WriteString(blockEnd)
	return out.String(), (out.Len() + 3) / 4
}

// PromptVersion changes with every change of promptAdvice, of the form of bullets or of the choice among them.
const PromptVersion = "playbook/v2"

const promptAdvice = `Between these marks is advice from earlier work on other questions. It is advice ` +
	`and not evidence: follow it where it fits the question, and never cite it in place of a document. ` +
	`Where you follow one, name it in square brackets, like [str-00001], before you use the tools.`
