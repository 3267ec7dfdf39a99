package playbook

import (
	"slices"
	"strings"
	"sync"
)

// lesson is what two bullets are compared by. ACE compares content and sequence, too.
type lesson struct {
	section, category string
	tools             []string
	text              func() profile // computed once, when it is needed
}

// profile is what is compared of a text.
type profile struct {
	words, condition counts // of the text, and of the part before its first colon; empty without a colon
	names            []string
}

func newLesson(section, category, text string, tools []string) lesson {
	return lesson{section, category, tools, sync.OnceValue(func() profile {
		p := profile{words: countsOf(text), names: named(text)}
		if condition, _, colon := strings.Cut(text, ":"); colon {
			p.condition = countsOf(condition)
		}
		return p
	})}
}

func (x Bullet) lesson() lesson { return newLesson(x.Section, x.Category, x.Text, x.Tools) }

// same reports whether two lessons are the same: of one section and one category, and about one sequence of tools. If
// neither has a sequence, or the category of one is not known, their texts must be similar too, and name the same in
// backquotes.
func (l lesson) same(m lesson) bool {
	if l.section != m.section || !slices.Equal(l.tools, m.tools) {
		return false
	}
	if l.category != "" && m.category != "" {
		if l.category != m.category {
			return false
		}
		if tools := l.sequence(); len(tools) > 0 {
			return slices.Equal(tools, m.sequence())
		}
	}
	return l.similarity(m) >= sameText
}

// similarity returns the similarity of the texts, 0 to 1; 0 if they name different things in backquotes.
func (l lesson) similarity(m lesson) float64 {
	p, q := l.text(), m.text()
	if !slices.Equal(p.names, q.names) {
		return 0
	}
	return p.words.similarity(q.words)
}

// sameLesson returns the index of the bullet with the same lesson; of several, that with the most similar text, and
// then the first; -1 if there is no such bullet.
func (b *Book) sameLesson(l lesson) int {
	best, most := -1, -1.0
	for i, x := range b.Bullets {
		if m := x.lesson(); l.same(m) {
			if s := l.similarity(m); s > most {
				best, most = i, s
			}
		}
	}
	return best
}

// opposite reports whether one lesson is a sequence of tools and the other a pitfall about the same sequence, for the
// same questions: those of one category or, if the category of one is not known, those that the texts before the colons
// describe in similar words.
func (l lesson) opposite(m lesson) bool {
	if l.isPitfall() == m.isPitfall() {
		return false
	}
	if l.isPitfall() {
		l, m = m, l
	}
	if len(l.tools) == 0 || !slices.Equal(l.tools, m.sequence()) {
		return false
	}
	if l.category != "" && m.category != "" {
		return l.category == m.category
	}
	return l.text().condition.similarity(m.text().condition) >= sameText
}

// isPitfall reports whether the lesson warns of something, in a section of ours or of ACE.
func (l lesson) isPitfall() bool {
	return l.section == Pitfalls || l.section == "common_mistakes_to_avoid"
}

// sequence returns the tools that the lesson is about: its sequence or else, since pitfalls have none, the names in
// backquotes.
func (l lesson) sequence() []string {
	if len(l.tools) > 0 {
		return l.tools
	}
	return l.text().names
}

// distinct returns the first k of some bullets of the shelf, without those that have the same lesson as an earlier one,
// or the opposite.
func (s *Shelf) distinct(k int, at []int) []Bullet {
	out, lessons := []Bullet{}, []lesson{}
	for _, i := range at {
		if len(out) >= k {
			break
		}
		l := s.lessons[i]
		if !slices.ContainsFunc(lessons, func(m lesson) bool { return l.same(m) || l.opposite(m) }) {
			out, lessons = append(out, s.book.Bullets[i]), append(lessons, l)
		}
	}
	return out
}

// Contradictions returns the ids of the bullets that contradict each other, as "str-00001 and pit-00002", in the order
// of the book: one advises what the other warns of. Bullets in quarantine are left out.
func (b *Book) Contradictions() (out []string) {
	active := slices.DeleteFunc(slices.Clone(b.Bullets), Bullet.Quarantine)
	lessons := make([]lesson, len(active))
	for i, x := range active {
		lessons[i] = x.lesson()
	}
	for _, pair := range contradictions(lessons) {
		out = append(out, active[pair[0]].ID+" and "+active[pair[1]].ID)
	}
	return out
}

// contradictions returns the pairs of lessons of which one is the opposite of the other, by their indices.
func contradictions(lessons []lesson) (out [][2]int) {
	about := map[string][]int{} // by sequence
	for i, l := range lessons {
		tools := l.sequence()
		if len(tools) == 0 {
			continue
		}
		key := strings.Join(tools, "\x00")
		for _, j := range about[key] {
			if l.opposite(lessons[j]) {
				out = append(out, [2]int{j, i})
			}
		}
		about[key] = append(about[key], i)
	}
	return out
}
