package offline

import (
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/offline/protocol"
)

// dialogue has the parts of a conversation to which later questions may refer.
type dialogue struct {
	whole         string // the user's last question that can be understood alone
	person, thing string // the names that "he" or "she", and "it", refer to
}

// ruleCondense rewrites a question so that it can be understood alone. If the question continues the user's
// last complete question, the result is that last question, in which its last name or word is replaced by the
// new name. Pronouns are replaced by the names that were mentioned last.
func ruleCondense(data blocks) (any, error) {
	pieces, err := data.need("conversation", "question")
	if err != nil {
		return nil, err
	}
	var t dialogue
	for line := range strings.Lines(pieces[0]) {
		role, content, _ := strings.Cut(strings.TrimSpace(line), ": ")
		if role == string(model.User) {
			content = t.rewrite(content)
			if names := namesOf(content, false); len(names) > 0 {
				t.thing = names[len(names)-1]
				t.person = t.thing
			}
			if strings.Contains(content, "?") {
				t.whole = content
			}
		} else if names := namesOf(content, true); len(names) > 0 {
			if readQuestion(t.whole).want.kind == person {
				t.person = names[0]
			} else {
				t.thing = names[0]
			}
		}
	}
	return map[string]string{"question": t.rewrite(pieces[1])}, nil
}

// namesOf returns the names in a message. A single capitalised word at the beginning of a sentence counts as a
// name only in a reply.
func namesOf(s string, reply bool) []string {
	ws := wordsOf(s)
	var out []string
	for _, r := range namesIn(s, ws, func(string) bool { return reply }) {
		if _, asks := words().questions[ws[r.from].low]; !asks {
			out = append(out, r.of(s, ws))
		}
	}
	return out
}

// rewrite completes a question that continues another one. Then it replaces pronouns by names.
func (t dialogue) rewrite(q string) string {
	q = t.complete(q)
	out, at := "", 0
	for _, w := range wordsOf(q) {
		name := map[string]string{
			"he": t.person, "him": t.person, "his": t.person, "she": t.person, "her": t.person, "it": t.thing,
			"its": t.thing,
		}[w.low]
		if name == "" {
			continue
		}
		if w.low == "his" || w.low == "her" || w.low == "its" {
			name += "'s"
		}
		out += q[at:w.Start] + name
		at = w.End
	}
	return out + q[at:]
}

// goesOn matches the beginning of a question that continues another question. small matches the small words
// after this beginning, as in "and of the lead?".
var (
	goesOn = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(?i:(?:and )?(?:what|how) about|and)\s+`)
	})
	small = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(?i:(?:of|for|in|at|on|by|to|from) )?(?i:the |an? )?`)
	})
)

// complete adds the words that a continuing question omits.
func (t dialogue) complete(q string) string {
	rest := goesOn().ReplaceAllString(q, "")
	_, asks := words().questions[strings.ToLower(strings.TrimRight(rest[:strings.IndexByte(rest+" ", ' ')], "?"))]
	switch {
	case t.whole == "" || !strings.HasSuffix(rest, "?") || rest == q && (asks || strings.Count(rest, " ") > 3):
		return q
	case asks:
		return strings.ToUpper(rest[:1]) + rest[1:] // for example "and who developed C?"
	}
	ws := wordsOf(t.whole)
	if len(ws) == 0 {
		return q
	}
	named := wordRange{len(ws) - 1, len(ws)}
	for _, n := range namesIn(t.whole, ws, func(string) bool { return false }) {
		named = n
	}
	return t.whole[:ws[named.from].Start] + small().ReplaceAllString(strings.TrimRight(rest, " ?"), "") +
		t.whole[ws[named.to-1].End:]
}

// earlier matches the harness's introduction to an earlier conversation, with the line break before it. The
// expression begins with fixed text, which makes the search fast.
var earlier = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile("\nThe first ([0-9]{1,6}) messages are an earlier conversation")
})

// withoutHistory removes an earlier conversation, because the reader reads only the question.
func withoutHistory(messages []model.Message) []model.Message {
	m := earlier().FindStringSubmatch(protocol.Instructions(messages))
	if m == nil || len(messages) == 0 || messages[0].Role != model.System {
		return messages
	}
	n, _ := strconv.Atoi(m[1]) // m[1] has only digits
	return append(messages[:1:1], messages[min(1+n, len(messages)):]...)
}
