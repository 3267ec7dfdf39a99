package inject

import "strings"

// ChangeKind is what kind of thing Sanitise took out or defused.
type ChangeKind string

const (
	Invisible ChangeKind = "invisible" // characters that show nothing; removed
	Control   ChangeKind = "control"   // control characters and broken UTF-8; removed, or made line ends or U+FFFD
	Hidden    ChangeKind = "hidden"    // HTML comments and elements that a reader does not see; removed
	Template  ChangeKind = "template"  // chat-template and tool-call marks; their brackets made ‹ ›
	Citation  ChangeKind = "citation"  // a document id in brackets, as only the agent writes it; made ( )
	Role      ChangeKind = "role"      // a line beginning as a turn of the agent's loop, a call or a turn of a chat; prefixed
)

// changeKinds is the order in which changes are reported.
var changeKinds = [...]ChangeKind{Invisible, Control, Hidden, Template, Citation, Role}

// Change counts what Sanitise did of one kind.
type Change struct {
	Kind  ChangeKind
	Count int
	First string // the first thing changed, at most MaxMatch runes
}

const (
	rolePrefix = "│ " // before a line that speaks as the agent's loop
	// sanitiseRounds bounds how often the rules are applied: what one takes out
	// may join the halves of what another looks for.
	sanitiseRounds = 4
)

// Sanitise makes a tool's output safe to show to a model, and still readable
// (methods.md §9.3): nothing invisible, no text that only a machine would see, no
// mark by which a chat template or the agent's loop tells who speaks, no citation
// that the agent did not make. Everything defused stays legible; plain prose is
// returned as it is. Sanitise(clean) is clean. The time is linear in the text.
//
// The defence is against borrowed structure. A sentence that gives orders passes:
// see [Scan] and [Spotlight].
func Sanitise(text string) (clean string, changes []Change) {
	var log changeLog
	clean = sanitise(text, &log)
	return clean, log.list()
}

func sanitise(text string, log *changeLog) string {
	for range sanitiseRounds {
		next := sanitiseOnce(text, log)
		if next == text {
			return text
		}
		text = next
	}
	// Only a text built to come apart gets here: without brackets it cannot.
	if next := brackets.Replace(text); next != text {
		log.note(Template, text)
		text = next
	}
	return sanitiseOnce(text, log)
}

var brackets = strings.NewReplacer("<", "‹", ">", "›", "[", "(", "]", ")", "［", "(", "］", ")", "【", "(", "】", ")")

func sanitiseOnce(text string, log *changeLog) string {
	for _, rule := range [...]func(string, *changeLog) string{
		showOnly, dropHidden, quoteTemplates, quoteHeadings, quoteCalls, quoteCitations, prefixRoles, prefixJSON,
	} {
		text = rule(text, log)
	}
	return text
}

// changeLog gathers changes by kind.
type changeLog map[ChangeKind]*Change

func (l *changeLog) note(kind ChangeKind, what string) {
	if *l == nil {
		*l = changeLog{}
	}
	c := (*l)[kind]
	if c == nil {
		c = &Change{Kind: kind, First: shorten(what)}
		(*l)[kind] = c
	}
	c.Count++
}

func (l changeLog) list() []Change {
	var out []Change
	for _, kind := range changeKinds {
		if c := l[kind]; c != nil {
			out = append(out, *c)
		}
	}
	return out
}
