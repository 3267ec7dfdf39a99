package offline

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/seed-5817661a/concur/internal/value"
	"github.com/seed-5817661a/concur/runner/model"
)

// maxSpoken bounds the values that are read of a message.
const maxSpoken = 20

// message is one of a conversation, with the names in it.
type message struct {
	user  bool
	text  string
	names []string
	who   bool // a person is asked for, or this replies to such a question
}

// ruleCondense rewrites a question to stand alone: words that were left out come from the last
// question that was whole, pronouns become the names and quantities that were spoken of last,
// relative dates become dates. What no rule reaches stays as it is.
func ruleCondense(data blocks) (any, error) {
	pieces, err := data.need("conversation", "question")
	if err != nil {
		return nil, err
	}
	var talk []message
	whole := "" // the last question that stands alone
	for line := range strings.Lines(pieces[0]) {
		role, content, ok := strings.Cut(strings.TrimSpace(line), ": ")
		if !ok {
			continue
		}
		m := message{user: role == string(model.User), text: content}
		if m.user {
			m.text = complete(m.text, whole, talk)
			if strings.Contains(m.text, "?") {
				whole = m.text
			}
			m.who = readQuestion(m.text).want.kind == person
		} else if n := len(talk); n > 0 {
			m.who = talk[n-1].who
		}
		m.names = namesOf(m.text, !m.user && len(talk) > 0 && strings.Contains(talk[len(talk)-1].text, "?"))
		talk = append(talk, m)
	}
	question := complete(pieces[1], whole, talk)
	question = refer(question, talk)
	return map[string]string{"question": dated(question, data["dates"], talk)}, nil
}

// namesOf are the names in a message, with their article. A single word at the beginning of a
// sentence is one only in a reply to a question.
func namesOf(s string, reply bool) []string {
	ws := wordsOf(s)
	var out []string
	for _, r := range namesIn(s, ws, func(string) bool { return reply }) {
		if words().questions[ws[r.from].low] != anyName || ws[r.from].concept == "" && r.to == r.from+1 {
			continue // "Who", "On"
		}
		name := r.of(s, ws)
		if r.from > 0 && ws[r.from-1].low == "the" {
			name = "the " + name
		}
		out = append(out, name)
	}
	return out
}

var continues = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?i:and what about|what about|how about|and)\s+`)
})

// preposition is a small word that begins what a continuing question asks: and of lead?
var preposition = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(?i:of|for|in|at|on|by|to|from) `) })

// complete puts what a continuing question names in the place of what the last whole question named.
func complete(q, whole string, talk []message) string {
	rest := continues().ReplaceAllString(q, "")
	bare := strings.TrimRight(rest, " ?.!")
	ws := wordsOf(bare)
	_, asks := words().questions[firstOf(ws)]
	switch {
	case whole == "" || !strings.Contains(q, "?") || len(ws) == 0:
		return q
	case asks && rest != q && words().questions[ws[0].low] != back:
		return strings.ToUpper(rest[:1]) + rest[1:] // and who developed C?
	case rest == q && (asks || len(ws) > 4):
		return q
	}
	bare = refer(bare, talk)
	old := strings.TrimRight(whole, " ?.!")
	if p := preposition().FindString(bare); p != "" {
		if i := strings.LastIndex(old, " "+strings.ToLower(p)); i >= 0 {
			return old[:i+1] + strings.ToLower(p) + bare[len(p):] + "?"
		}
		bare = bare[len(p):]
	}
	from, to := focus(old, strings.Contains(bare, "'s "))
	if from < 0 {
		return q
	}
	if article := strings.ToLower(firstOf(wordsOf(bare))); article == "a" || article == "an" || article == "the" {
		bare = strings.ToLower(bare[:1]) + bare[1:]
		if strings.HasSuffix(old[:from], " the ") && article == "the" {
			from -= len("the ")
		}
	}
	return old[:from] + bare + old[to:] + "?"
}

func firstOf(ws []word) string {
	if len(ws) == 0 {
		return ""
	}
	return ws[0].low
}

// phrase is a noun with its article, up to a name or the end.
var phrase = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\b(?:an?|the) (?:[a-z]+ ?)+`) })

// focus is the place of what a question is about: its last name, or its last noun with an article.
// wide takes "the plan of" before the name too.
func focus(q string, wide bool) (from, to int) {
	ws := wordsOf(q)
	names := slices.DeleteFunc(namesIn(q, ws, func(string) bool { return false }), func(r run) bool { return r.from == 0 })
	phrases := phrase().FindAllStringIndex(q, -1)
	switch {
	case len(names) > 0:
		last := names[len(names)-1]
		from, to = ws[last.from].Start, ws[last.to-1].End
		if wide && len(phrases) > 0 && phrases[len(phrases)-1][1] == from && strings.HasSuffix(q[:from], " of ") {
			from = phrases[len(phrases)-1][0]
		}
		return from, to
	case len(phrases) > 0:
		last := phrases[len(phrases)-1]
		return last[0], last[1]
	}
	return -1, -1
}

// persons and things are pronouns, with the form that shows possession.
var persons = map[string]bool{"he": false, "him": false, "she": false, "her": false, "his": true}
var things = map[string]bool{"it": false, "its": true, "that": false, "this": false, "they": false, "them": false, "their": true}

// refer replaces pronouns, and names what "the painter" or "the building" is, where the question
// has no name of its own.
func refer(q string, talk []message) string {
	ws := wordsOf(q)
	out, at := "", 0
	put := func(from, to int, s string) { out += q[at:ws[from].Start] + s; at = ws[to].End }
	own := len(namesOf(q, false)) > 0
	for i, w := range ws {
		possessive, isPerson := persons[w.low]
		if !isPerson {
			var isThing bool
			if possessive, isThing = things[w.low]; !isThing {
				t := words().types[w.low]
				if !own && i > 0 && ws[i-1].low == "the" && w.concept != "" && (i+1 == len(ws) || ws[i+1].low != "of" && ws[i+1].concept != "" || t.kind == person) {
					if name := spoken(talk, t.kind == person); name != "" && (t.kind == person || i+1 < len(ws)) {
						put(i-1, i, name)
						own = true
					}
				}
				continue
			}
		}
		if possessive = possessive || w.low == "her" && i+1 < len(ws) && ws[i+1].concept != ""; (w.low == "that" || w.low == "this") && i+1 < len(ws) && ws[i+1].concept != "" {
			if quantity := measured(talk); quantity != "" { // that depth
				put(i, i+1, quantity)
			}
			continue
		}
		name := spoken(talk, isPerson)
		if quantity := measured(talk); quantity != "" && !isPerson && !possessive && (name == "" || w.low != "it") {
			name = quantity
		}
		if name == "" {
			continue
		}
		if possessive {
			name += "'s"
		}
		put(i, i, name)
	}
	return out + q[at:]
}

// spoken is the name that was spoken of last: in a reply the first one, in what the user message the
// last one. A thing is not who somebody asked for.
func spoken(talk []message, who bool) string {
	for _, m := range slices.Backward(talk) {
		switch {
		case len(m.names) == 0 || !who && m.who && !m.user:
		case who && !m.who && slices.ContainsFunc(talk, func(m message) bool { return m.who && !m.user && len(m.names) > 0 }):
		case m.user:
			return m.names[len(m.names)-1]
		default:
			return m.names[0]
		}
	}
	return ""
}

// measured is the quantity that the user stated last, up to the end of its clause.
func measured(talk []message) string {
	for _, m := range slices.Backward(talk) {
		if !m.user || strings.Contains(m.text, "?") || relative().MatchString(m.text) {
			continue
		}
		for _, v := range slices.Backward(value.Find(m.text, maxSpoken)) {
			if !v.Numeric() {
				continue
			}
			if v.Kind == value.Quantity {
				return v.Of(m.text)
			}
			clause, _, _ := strings.Cut(m.text[v.Start:], ".")
			clause, _, _ = strings.Cut(clause, ",")
			return strings.TrimSpace(clause)
		}
	}
	return ""
}

// earlier is what the harness says of a conversation that it passes on.
var earlier = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?m)^The first ([0-9]{1,6}) messages are an earlier conversation`)
})

// withoutHistory drops an earlier conversation: the reader reads the question alone.
func withoutHistory(messages []model.Message) []model.Message {
	m := earlier().FindStringSubmatch(instructions(messages))
	if m == nil || len(messages) == 0 || messages[0].Role != model.System {
		return messages
	}
	n, _ := strconv.Atoi(m[1]) // digits
	return append(messages[:1:1], messages[min(1+n, len(messages)):]...)
}
