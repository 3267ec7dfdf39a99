package offline

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/runner/model"
)

// The reader's rules for what is remembered of the person who asks, which is written of "the user":
//
//   - A question about "my dentist" behind its question word is settled by what is remembered of
//     the user's dentist, and by nothing else; it is not that of the user's mother. Where nothing
//     is remembered, the reader abstains.
//   - Where that names something, "my favourite river" is read as the name, and looked up. If
//     nothing is found that names it, the memory alone answers.
//   - What holds a request of the kind that the reader refuses is not read.

// given reads the documents of a message that brings some before the first turn.
func given(m model.Message) []document {
	content := m.Content
	if at := strings.Index(content, "<<data "); at >= 0 {
		content = content[at:]
	}
	return observation{text: unfenced(content)}.documents()
}

// memory is what a question about the user rests on.
type memory struct {
	asks     bool     // the question is about something of the user's
	passage  *passage // that speaks of it; nil for none
	name     string   // that it gives; "" for none
	question string   // as it was asked
}

// mine matches what a question calls the user's own, behind its question word.
var mine = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\b(?:who|whose|whom|which|what|when|where|how)\b.*?\bmy\b`)
})

// recall finds the memory of what the question is about, and reads the question with the name
// that it gives. A conversation before the question may say it too: there are no rules for that.
func (c *conversation) recall(documents *library) memory {
	m := memory{question: c.question}
	at := mine().FindStringIndex(c.question)
	if at == nil || c.continued {
		return m
	}
	m.asks = true
	behind := wordsOf(c.question[at[1]:])
	longest, nearest := 0, 0
	for _, d := range c.given {
		for _, p := range documents.article(d).passages {
			if n, away := p.user(behind); (n > longest || n == longest && away < nearest) && !forbidden(d.Snippet) {
				m.passage, longest, nearest = p, n, away
			}
		}
	}
	if m.passage == nil {
		return m
	}
	e, q := newEvidence([]*article{m.passage.article}), readQuestion(c.question)
	a := q.ask()
	for _, n := range e.names[m.passage] {
		name := n.of(m.passage.text, m.passage.words)
		if a.says(concepts(m.passage.words[n.from:n.to])) || strings.HasPrefix(m.passage.text, name) {
			continue
		}
		my := strings.LastIndex(strings.ToLower(c.question[:at[1]]), "my")
		m.name = name
		c.question = c.question[:my] + name + c.question[at[1]+behind[longest-1].End:]
		break
	}
	return m
}

// user is how many of these words, at least one with content, the passage says of the user without another's genitive
// between, and how far behind: "The user's favourite river", "The user collects stamps".
func (p *passage) user(ws []word) (best, away int) {
	for i, w := range p.words {
		if w.low != "user" {
			continue
		}
		for j := i + 1; j < len(p.words) && j <= i+4; j++ {
			if p.words[j].low == "s" && j > i+1 {
				break
			}
			n, content := 0, 0
			for n < len(ws) && j+n < len(p.words) && conceptOf(ws[n].low) == conceptOf(p.words[j+n].low) {
				if ws[n].concept != "" {
					content = n + 1
				}
				n++
			}
			if j+n < len(p.words) && p.words[j+n].low == "s" { // the user's dentist's house
				continue
			}
			if content > best || content == best && j-i < away {
				best, away = content, j-i
			}
		}
	}
	return best, away
}

// settles reports whether the memory alone decides, because it gives no name to look up.
func (m memory) settles(c *conversation) bool { return m.asks && c.question == m.question }

// answer is that of the memory alone: the best span of its passage.
func (m memory) answer() finding {
	if m.passage == nil {
		return finding{}
	}
	q := readQuestion(m.question)
	a := q.ask()
	a.names = nil // those of the question need no articles
	e := newEvidence([]*article{m.passage.article})
	spans := func() []span {
		return slices.DeleteFunc(e.rank(&a), func(s span) bool { return s.last != m.passage || s.text == s.last.article.name })
	}
	all := spans()
	if len(all) == 0 && a.want.kind == number { // how much does it cost
		a.want = want{kind: number, money: true}
		all = spans()
	}
	if len(all) == 0 {
		return finding{}
	}
	return finding{state: found, text: all[0].text, value: all[0].value, leads: []lead{all[0].lead}, score: all[0].score}
}

// over is a finding about what the memory names, with the memory among what it rests on, or else the
// own answer of the memory.
func (m memory) over(f finding) finding {
	switch {
	case !m.asks || f.state == pending:
		return f
	case f.state != found || !slices.ContainsFunc(f.leads, func(l lead) bool { return l.names(m.name) }):
		return m.answer()
	}
	f.leads = append([]lead{{last: m.passage}}, f.leads...)
	return f
}

// names reports whether an article that a lead goes through has a name, as a whole.
func (l lead) names(name string) bool {
	return slices.ContainsFunc([]*passage{l.first, l.last}, func(p *passage) bool {
		return p != nil && strings.Contains(" "+keyOf(p.article.Title+" "+p.article.Snippet), keyOf(name))
	})
}

// ruleRanking orders memories by what they share with the question: the words of both, as a
// part of the words of either. Those that share none are left out.
func ruleRanking(data blocks) (any, error) {
	pieces, err := data.need("question", "memories")
	if err != nil {
		return nil, err
	}
	asked := concepts(wordsOf(pieces[0]))
	type ranked struct {
		number int
		share  float64
	}
	list := []ranked{}
	for line := range strings.Lines(pieces[1]) {
		number, memory, _ := strings.Cut(line, ". ")
		n, err := strconv.Atoi(number)
		if err != nil {
			continue
		}
		said, both := concepts(wordsOf(memory)), 0
		for _, c := range said {
			if slices.Contains(asked, c) {
				both++
			}
		}
		if both > 0 {
			list = append(list, ranked{n, float64(both) / float64(len(asked)+len(said)-both)})
		}
	}
	slices.SortStableFunc(list, func(a, b ranked) int { return cmp.Compare(b.share, a.share) })
	ranks := make([]int, len(list))
	for i, r := range list {
		ranks[i] = r.number
	}
	return map[string][]int{"ranks": ranks}, nil
}

// ruleSummary says whether a call failed, and else the first sentence of the document that has most
// words of the question, with its id.
func ruleSummary(data blocks) (any, error) {
	pieces, err := data.need("question", "result")
	if err != nil {
		return nil, err
	}
	o := observation{text: unfenced(pieces[1])}
	if strings.HasPrefix(o.text, "ERROR:") {
		return map[string]string{"summary": "The call failed."}, nil
	}
	asked, best, most := concepts(wordsOf(pieces[0])), "The call returned no document.", -1
	for _, d := range o.documents() {
		n := 0
		for _, c := range concepts(wordsOf(d.Title + " " + d.Snippet)) {
			if slices.Contains(asked, c) {
				n++
			}
		}
		if first := text.Sentences(d.Snippet); n > most && len(first) > 0 {
			best, most = "It found: "+d.Title+": "+first[0].Of(d.Snippet)+" ["+d.ID+"]", n
		}
	}
	return map[string]string{"summary": best}, nil
}
