package cite

import (
	"regexp"
	"strings"
)

// sentence is a claim as the message states it.
type sentence struct {
	text   string // as written, citations included
	bare   string // without citations
	cites  []string
	answer bool
}

// message is a final message taken apart: explanation, answer line, references
// (DESIGN.md §3).
type message struct {
	claims     []sentence
	references []string // the ids that the list of references names
}

// citations counts the citations of the claims.
func (m message) citations() int {
	n := 0
	for _, c := range m.claims {
		n += len(c.cites)
	}
	return n
}

var (
	answerLine = regexp.MustCompile(`(?i)^[\s>*_#-]*(?:(?:final |short )?answer|答案|最终答案|答え|回答|정답|antwort|réponse|respuesta|risposta|resposta|ответ)[*_]*\s*[:：][*_]*(.*)$`)
	// referenceHead is the line above the references, or the one that holds them.
	referenceHead = regexp.MustCompile(`(?i)^[\s>*_#-]*(?:references|reference list|sources|citations|works cited|参考文献|参考资料|参考|出典|来源|quellen|références|fuentes)[*_]*\s*(?:[:：][*_]*(.*)|)$`)
	// entryID is an id without brackets at the head of an entry of the list.
	entryID = regexp.MustCompile(`^[\s>*_+•-]*(?:\d{1,3}[.)]\s*)?[*_` + "`" + `]*([a-z][a-z0-9]*_[0-9]+)\b`)
)

func parseMessage(text string) message {
	lines := strings.Split(dropFences(text), "\n")
	answerAt := lastAnswerLine(lines)
	var m message
	var body, references []string
	listing := false
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		if i == answerAt {
			short := strings.TrimSpace(answerLine.FindStringSubmatch(line)[1])
			if short == "" && i+1 < len(lines) {
				i++ // the answer stands below its marker
				short = strings.TrimSpace(lines[i])
			}
			m.claims = append(m.claims, newSentence(short, mentions(short), true))
			listing = false
			continue
		}
		if rest, ok := readReferenceHead(line); ok {
			listing = true
			references = append(references, rest)
			continue
		}
		if listing {
			references = append(references, line)
		} else {
			body = append(body, line)
		}
	}
	m.claims = append(sentences(strings.Join(body, "\n")), m.claims...)
	m.references = listed(references)
	return m
}

func lastAnswerLine(lines []string) int {
	at := -1
	for i, line := range lines {
		if answerLine.MatchString(line) {
			at = i
		}
	}
	return at
}

// readReferenceHead recognises the head of the list; prose such as "Sources: they differ"
// is none.
func readReferenceHead(line string) (rest string, ok bool) {
	if len(line) > 2*maxBracket {
		return "", false
	}
	m := referenceHead.FindStringSubmatch(line)
	if m == nil {
		return "", false
	}
	rest = m[1]
	blank := strings.Trim(rest, " \t\r*_") == ""
	return rest, blank || len(mentions(rest)) > 0 || entryID.MatchString(rest)
}

// listed gives the ids of the reference list, in brackets or at the head of an entry.
func listed(lines []string) []string {
	var out []string
	seen := map[string]bool{}
	add := func(id string) {
		if !seen[id] {
			seen[id] = true
			out = append(out, id)
		}
	}
	for _, line := range lines {
		if m := entryID.FindStringSubmatch(line); m != nil {
			add(m[1])
		}
		for _, m := range mentions(line) {
			for _, id := range m.ids {
				add(id)
			}
		}
	}
	return out
}

// newSentence takes the citations out of a sentence. Their offsets are within text.
func newSentence(text string, cites []mention, answer bool) sentence {
	s := sentence{text: text, answer: answer}
	var b strings.Builder
	at := 0
	seen := map[string]bool{}
	for _, m := range cites {
		b.WriteString(text[at:m.start])
		b.WriteByte(' ')
		at = m.end
		for _, id := range m.ids {
			if !seen[id] {
				seen[id] = true
				s.cites = append(s.cites, id)
			}
		}
	}
	b.WriteString(text[at:])
	s.bare = b.String()
	return s
}
