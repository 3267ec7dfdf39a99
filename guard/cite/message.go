package cite

import (
	"strings"
	"unicode"

	"github.com/seed-5817661a/concur/internal/lazy"
	"github.com/seed-5817661a/concur/internal/text"
)

// sentence is a claim in the words of the message.
type sentence struct {
	text   string
	cites  []string // ids without repeats, in order
	answer bool     // it is the answer line, whose sources are all documents that the message cites
	bare   string   // the text without citations
}

// message is a final message, divided into explanation, answer line and references.
type message struct {
	claims     []sentence
	references []string // ids in the list of references
}

var (
	answerLine = lazy.Compile(`(?i)^[\s>*_#-]*(?:(?:final |short )?answer|答案|最终答案|答え|回答|정답|` +
		`antwort|réponse|respuesta|risposta|resposta|ответ)[*_]*\s*[:：][*_]*(.*)$`)
	// referenceHead matches the heading of the references, or the line that has the heading and the references.
	referenceHead = lazy.Compile(`(?i)^[\s>*_#-]*(?:references|reference list|sources|citations|works cited|` +
		`参考文献|参考资料|参考|出典|来源|quellen|références|fuentes)[*_]*\s*(?:[:：][*_]*(.*)|)$`)
	// entryID matches an id without brackets at the beginning of an entry in the list.
	entryID = lazy.Compile(`^[\s>*_+•-]*(?:\d{1,3}[.)]\s*)?[*_` + "`" + `]*(` + idPattern + `)\b`)
)

// parseMessage splits a message into claims and references. answer is the short answer; if it is "",
// parseMessage reads it from the answer line.
func parseMessage(written, answer string, known backends) message {
	lines := strings.Split(dropFences(written), "\n")
	at, end, short := findAnswer(lines)
	if answer == "" {
		answer = short
	}
	var m message
	var body []string
	listing := false
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		rest, heads := readReferenceHead(line, known)
		switch {
		case i == at:
			i, listing = end, false
		case heads:
			listing = true
			m.references = append(m.references, listed(rest, known)...)
		case listing && !(statement.MatchString(line) && len(listed(line, known)) == 0 && !address.MatchString(line)):
			m.references = append(m.references, listed(line, known)...)
		default:
			body = append(body, line)
		}
	}
	m.claims = sentences(strings.Join(body, "\n"), known)
	if at >= 0 || answer != "" {
		// The claim is the scored answer, with the citations of the answer line.
		claim := newSentence(answer, known)
		claim.cites, claim.answer = idsOf(mentions(short, known)), true
		m.claims = append(m.claims, claim)
	}
	return m
}

// findAnswer returns the text of the last answer line, and the numbers of its first and last line. at is -1 if
// the message has no answer line. The answer may be on a line below its label.
func findAnswer(lines []string) (at, end int, short string) {
	at = -1
	for i, line := range lines {
		if m := answerLine.FindStringSubmatch(line); m != nil {
			at, end, short = i, i, strings.TrimSpace(m[1])
		}
	}
	for at >= 0 && short == "" && end+1 < len(lines) {
		end++
		short = strings.TrimSpace(lines[end])
	}
	return at, end, short
}

// readReferenceHead reads the heading of the reference list. ok is false for prose, such as "Sources: they
// differ".
func readReferenceHead(line string, known backends) (rest string, ok bool) {
	if len(line) > 2*maxBracket {
		return "", false
	}
	m := referenceHead.FindStringSubmatch(line)
	if m == nil {
		return "", false
	}
	rest = m[1]
	blank := strings.Trim(rest, " \t\r*_") == ""
	return rest, blank || len(listed(rest, known)) > 0
}

// statement matches a sentence with a verb and a number. Such a sentence cannot be an entry of a list of
// references. So prose below the heading of the references is audited, too.
var statement = lazy.Compile(`(?i)\d.*\b(?:is|are|was|were|has|had|have|ist|war|est|es|era)\b.*[.!?]\W*$|` +
	`\b(?:is|are|was|were|has|had|have|ist|war|est|es|era)\b.*\d.*[.!?]\W*$|\d.*。\W*$`)

// listed returns the ids in a line of the reference list, in brackets or at the beginning.
func listed(line string, known backends) []string {
	ids := idsOf(mentions(line, known))
	if m := entryID.FindStringSubmatch(line); m != nil && known.issued(m[1]) {
		ids = append(ids, m[1])
	}
	return ids
}

// newSentence separates the citations from a sentence.
func newSentence(written string, known backends) sentence {
	cites := mentions(written, known)
	var b strings.Builder
	at := 0
	for _, m := range cites {
		b.WriteString(written[at:m.Start] + " ")
		at = m.End
	}
	return sentence{text: written, cites: idsOf(cites), bare: b.String() + written[at:]}
}

// unstated matches lines without a claim: a heading, a list mark alone, or the rule of a table.
var unstated = lazy.Compile(`^\s*(?:#{1,6}\s|\(?\d{1,2}[.)]\s*$)|^[\s|:-]+$`)

// sentences divides an explanation into claims. A heading without a citation is not a claim. If a citation
// comes after the full stop of a sentence, on the same line or the next, it belongs to the sentence before it:
// "… in 1990. [corpus_1]".
func sentences(body string, known backends) []sentence {
	var spans []text.Span
	for _, s := range text.Sentences(body) {
		if n := len(spans); n > 0 {
			if led := leadingCitations(s.Of(body), known); led > 0 {
				s.Start += led
				spans[n-1].End = s.Start
			}
		}
		if s.Start < s.End {
			spans = append(spans, s)
		}
	}
	var out []sentence
	for _, s := range spans {
		claim := newSentence(s.Of(body), known)
		if len(claim.cites) > 0 || !unstated.MatchString(claim.text) && hasWord(claim.text) {
			out = append(out, claim)
		}
	}
	return out
}

// leadingCitations returns the length of the citations at the beginning of a sentence that belong to the
// sentence before it. If a lower-case letter follows a bracket, the bracket is the subject of its own sentence
// and does not belong to the sentence before.
func leadingCitations(s string, known backends) int {
	end := 0
	for _, m := range mentions(s, known) {
		if hasWord(s[end:m.Start]) {
			break
		}
		end = m.End
	}
	switch rest := s[end:]; {
	case end == 0:
		return 0
	case !hasWord(rest):
		return len(s)
	case unicode.IsLower(firstRune(strings.TrimLeft(rest, " \t"))):
		return 0
	default:
		return len(s) - len(strings.TrimLeft(rest, ".!?"))
	}
}

func hasWord(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) >= 0
}
