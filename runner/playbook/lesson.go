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

// same reports whether two lessons are the same. They must have the same section and category, and be about the
// same sequence of tools. If neither has a sequence, or if the category of one is not known, their texts must
// also be similar and have the same names in backquotes.
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

// sameLesson returns the index of the bullet that has the same lesson. If there are several, it is the one with
// the most similar text, and if these are equal, the first. It is -1 if no bullet has it.
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

// opposite reports whether one lesson advises a sequence of tools and the other is a pitfall about the same
// sequence, for the same questions. The questions are the same if the categories are equal. If one category is
// not known, the texts before the colons must describe the questions in similar words.
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

// sequence returns the tools that the lesson is about: its sequence or, for pitfalls, which have no sequence,
// the names in backquotes.
func (l lesson) sequence() []string {
	if len(l.tools) > 0 {
		return l.tools
	}
	return l.text().names
}

// distinct returns the first k bullets of a list. It leaves out a bullet if an earlier one has the same lesson
// or the opposite lesson.
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

// Contradictions returns the pairs of bullets that contradict each other, as "str-00001 and pit-00002", in the
// order of the book: one bullet advises a sequence of tools, and the other warns of it. Bullets in quarantine
// are left out.
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

// contradictions returns the pairs of lessons that are opposite to each other, by their indices.
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
