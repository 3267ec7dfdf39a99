package inject

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/internal/lines"
)

// ChangeKind is the kind of a change that Sanitise makes.
type ChangeKind string

const (
	Invisible ChangeKind = "invisible" // invisible characters, which are removed
	Control   ChangeKind = "control"   // control characters and invalid UTF-8; removed or replaced
	Hidden    ChangeKind = "hidden"    // HTML comments and elements that a browser does not show, which are removed
	Template  ChangeKind = "template"  // chat-template and tool-call marks, whose brackets become ‹ ›
	Citation  ChangeKind = "citation"  // ids of documents in brackets, for the agent only; made ( )
	// Role means a line that looks like the beginning of a turn of the agent's loop, of a call, or of a turn of
	// a chat. Sanitise puts a bar before such a line.
	Role ChangeKind = "role"
)

// changeKinds is the order in which changes are reported.
var changeKinds = []ChangeKind{Invisible, Control, Hidden, Template, Citation, Role}

// Change counts the changes of one kind that Sanitise made.
type Change struct {
	Kind    ChangeKind
	Count   int
	First   string   // the first changed text, at most MaxMatch runes
	Removed []string // for Hidden: the complete removed texts, in the order of their removal
}

const (
	rolePrefix = "│ " // before a line that looks like a turn of the agent's loop
	// sanitiseRounds is the maximum number of times that all rules are applied. Several rounds are needed: when
	// one rule removes text, the text around the gap may match another rule.
	sanitiseRounds = 4
)

// Sanitise makes a tool's output safe to show to a model (docs/method.md §9.3). It removes invisible characters
// and text that a browser would not show. It changes citations, and marks by which a chat template or the
// agent's loop recognises the speaker. Changed marks stay readable. Plain prose is returned unchanged. If the
// result is sanitised again, it does not change. The time is linear in the length of the text.
//
// Sanitise does not change sentences that give orders: see [Scan] and [Spotlight].
func Sanitise(text string) (clean string, changes []Change) {
	var log changeLog
	clean = sanitise(text, &log)
	return clean, log.list()
}

// SanitiseJSON applies [Sanitise] to every string in a JSON value, including the keys of objects, because these
// also come from the tool. It keeps structure, order of keys, spacing and the spelling of numbers. If a string
// needs no change, its escapes are kept, too. If two keys differ only in text that is removed, they become
// equal.
//
// It returns an error if the input is not JSON, or if it has more levels than encoding/json reads (10,000).
func SanitiseJSON(raw json.RawMessage) (json.RawMessage, []Change, error) {
	if !json.Valid(raw) {
		return nil, nil, fmt.Errorf("sanitise tool output: %w", errors.New("not a JSON value; treat it as text"))
	}
	var log changeLog
	var out bytes.Buffer
	kept := 0
	for at := 0; at < len(raw); at++ {
		if raw[at] != '"' {
			continue
		}
		end := at + 1
		for ; raw[end] != '"'; end++ {
			if raw[end] == '\\' {
				end++
			}
		}
		end++
		var text string
		err := json.Unmarshal(raw[at:end], &text)
		if clean := sanitise(text, &log); clean != text {
			out.Write(raw[kept:at])
			written, wrong := lines.Encode(clean)
			err = errors.Join(err, wrong)
			out.Write(written)
			kept = end
		}
		if err != nil {
			return nil, nil, fmt.Errorf("sanitise tool output: %w", err)
		}
		at = end - 1
	}
	if kept == 0 {
		return raw, nil, nil
	}
	out.Write(raw[kept:])
	return out.Bytes(), log.list(), nil
}

func sanitise(text string, log *changeLog) string {
	for range sanitiseRounds {
		next := sanitiseOnce(text, log)
		if next == text {
			return text
		}
		text = next
	}
	// Only a text that was made to defeat the rounds still changes here. Its brackets are replaced, and without
	// them it cannot match again.
	if next := brackets.Replace(text); next != text {
		log.note(Template, text)
		text = next
	}
	return sanitiseOnce(text, log)
}

var brackets = strings.NewReplacer("<", "‹", ">", "›", "[", "(", "]", ")", "［", "(", "］", ")", "【", "(", "】", ")")

func sanitiseOnce(text string, log *changeLog) string {
	for _, rule := range [...]func(string, *changeLog) string{
		showOnly, dropHidden, quoteMarks, quoteCitations, prefixRoles, prefixJSON,
	} {
		text = rule(text, log)
	}
	return text
}

// Visible returns a page without the parts that a browser does not show. The other markup stays.
func Visible(page string) string {
	var log changeLog
	return dropHidden(page, &log)
}

// dropHidden removes the parts that a browser does not show, and records them in log.
func dropHidden(text string, log *changeLog) string {
	if !strings.Contains(text, "<") {
		return text
	}
	out := splice{text: text}
	for _, s := range readMarkup(text).hidden {
		hidden := text[s.start:s.end]
		change := log.note(Hidden, hidden)
		change.Removed = append(change.Removed, hidden)
		out.put(s.start, s.end, "")
	}
	return out.done()
}

// changeLog collects changes by kind.
type changeLog []Change

// note counts a change, and returns the record of its kind.
func (l *changeLog) note(kind ChangeKind, what string) *Change {
	i := slices.IndexFunc(*l, func(c Change) bool { return c.Kind == kind })
	if i < 0 {
		i = len(*l)
		*l = append(*l, Change{Kind: kind, First: shorten(what)})
	}
	(*l)[i].Count++
	return &(*l)[i]
}

func (l changeLog) list() []Change {
	slices.SortFunc(l, func(a, b Change) int {
		return cmp.Compare(slices.Index(changeKinds, a.Kind), slices.Index(changeKinds, b.Kind))
	})
	return l
}
