package datasets

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/datasets/checks"
	"github.com/seed-5817661a/concur/internal/strictyaml"
	"github.com/seed-5817661a/concur/trace"
)

// MostTurns is the maximum number of turns of a conversation.
const MostTurns = 50

// ScriptedTurn is a message of the scripted person in a conversation, with the gold or the checks of the
// agent's reply to this message.
type ScriptedTurn struct {
	Text    string         `json:"query"`
	Gold    Gold           `json:"gold"`
	Checks  []checks.Check `json:"checks,omitempty"`
	Expects *Expects       `json:"expects,omitempty"` // expected tool calls in this turn; nil if all calls are allowed
}

// Turn returns turn n of a conversation, counted from 0, as a query of its own. The query has the id of the
// conversation. said are the messages and replies of the earlier turns; they are added after the query's own
// history.
func (q Query) Turn(n int, said []Turn) Query {
	of := q.Turns[n]
	q.Text, q.Gold, q.Checks, q.Expects, q.Turns = of.Text, of.Gold, of.Checks, of.Expects, nil
	q.History = slices.Concat(q.History, said)
	return q
}

// MessagesBefore returns the texts of the person before turn n. It leaves out the replies, because these differ
// from trace to trace.
func (q Query) MessagesBefore(n int) (out []Turn) {
	for _, t := range q.Turns[:n] {
		out = append(out, Turn{UserRole, t.Text})
	}
	return out
}

// HasCondition reports whether the gold, or the gold of one of the turns, has a condition. Only a judge can
// decide a condition.
func (q Query) HasCondition() bool {
	return q.Gold.Condition != "" ||
		slices.ContainsFunc(q.Turns, func(t ScriptedTurn) bool { return t.Gold.Condition != "" })
}

// Statements returns the gold of the query, or the golds of its turns, that are statements.
func (q Query) Statements() (golds []Gold) {
	if q.Gold.SQL != "" {
		golds = append(golds, q.Gold)
	}
	for _, t := range q.Turns {
		if t.Gold.SQL != "" {
			golds = append(golds, t.Gold)
		}
	}
	return golds
}

// ExpectsCalls reports whether the query, or a turn, expects calls of tools.
func (q Query) ExpectsCalls() bool {
	return q.Expects != nil || slices.ContainsFunc(q.Turns, func(t ScriptedTurn) bool { return t.Expects != nil })
}

// AllChecks returns the checks of the query or, for a conversation, those of its turns.
func (q Query) AllChecks() []checks.Check {
	all := q.Checks
	for _, t := range q.Turns {
		all = slices.Concat(all, t.Checks)
	}
	return all
}

// scriptedRecord is a ScriptedTurn as written in a file.
type scriptedRecord struct {
	Query     string          `yaml:"query"`
	Gold      goldRecord      `yaml:"gold"`
	Checks    []checks.Check  `yaml:"checks"`
	Threshold float64         `yaml:"threshold"` // as in record
	Expects   expectsRecord   `yaml:"expects"`
	At        strictyaml.Pos  `yaml:",pos"`
	Given     strictyaml.Keys `yaml:",keys"`
}

// isConversation reports whether a record has turns. In files of other programs, a field of this name may be a
// number or a word; such a field is metadata.
func isConversation(n *yaml.Node) bool {
	turns := child(n, "turns")
	return turns != nil && (turns.Kind != yaml.ScalarNode || turns.ShortTag() == "!!null")
}

// script checks the turns of a conversation and adds them to the query; broken says that a part of the record
// could not be read.
func (c *checker) script(path string, e *record, broken bool, q *Query) {
	at := below(path, "turns")
	for _, other := range []string{"query", "gold", "expects", checksField, "threshold"} {
		if pos, given := e.Given[other]; given {
			c.fail(pos, below(path, other), "a conversation has none, because each of its turns has its own: move it "+
				"into a turn, or remove the turns")
		}
	}
	switch n := len(e.Turns); {
	case n == 0:
		c.fail(e.Given["turns"], at, "has no turn: write at least one, each with query, and gold or checks")
	case n > MostTurns:
		c.fail(e.Given["turns"], at, "has %d turns, and a conversation has at most %d: divide it into several", n,
			MostTurns)
		return
	}
	var texts []string
	for i := range e.Turns {
		q.Turns = append(q.Turns, c.scripted(fmt.Sprintf("%s[%d]", at, i), e, i, broken))
		texts = append(texts, fmt.Sprintf("%d. %s", i+1, e.Turns[i].Query))
	}
	q.Text = strings.Join(texts, "\n")
	q.Gold = Gold{Type: answer.Text, Outcome: trace.Answered}
}

// scripted checks one turn of a conversation.
func (c *checker) scripted(path string, e *record, n int, broken bool) ScriptedTurn {
	t := &e.Turns[n]
	if _, given := t.Given["query"]; t.Query == "" && t.At.Line > 0 && (given || !c.misnamed) { // line 0: not a turn
		c.fail(cmp.Or(t.Given["query"], t.At), below(path, "query"), "turn %d has no text: write the person's words as "+
			"query, or remove the turn", n+1)
	}
	out := ScriptedTurn{Text: t.Query, Expects: c.expects(below(path, "expects"), &t.Expects)}
	out.Checks = c.checks(path, t.record(e, n))
	if checks.Uses(out.Checks, checks.MaxSeconds) {
		c.fail(t.Given[checksField], below(path, checksField), "max_seconds has no meaning in a turn, because only the "+
			"time of a whole conversation is kept: remove it")
	}
	_, given := t.Given["gold"]
	switch {
	case t.Gold.Given != nil:
		out.Gold = c.gold(below(path, "gold"), t.record(e, n), broken)
		t.Gold.Answer = out.Gold.Answer
	case len(out.Checks) > 0 && !given:
		out.Gold.Type = answer.Text
	case !given && t.Given[checksField].Line == 0 && t.At.Line > 0 && !c.misnamed:
		c.fail(t.At, path, "turn %d has neither gold nor checks: say which reply is right, or remove the turn", n+1)
	}
	return out
}

// isTurnPath reports whether a path is the path of a turn, in the record whose path is of.
func isTurnPath(path, of string) bool {
	turn, is := strings.CutPrefix(of, below(path, "turns")+"[")
	return is && strings.IndexByte(turn, ']') == len(turn)-1
}

// record returns turn n as a record of its own. It has the place of the turn in the file, and the earlier
// messages of the conversation.
func (t *scriptedRecord) record(e *record, n int) *record {
	out := &record{ID: e.ID, Query: t.Query, Gold: t.Gold, Checks: t.Checks, Threshold: t.Threshold, Locale: e.Locale,
		At: t.At, Given: t.Given, History: slices.Clone(e.History)}
	for _, before := range e.Turns[:n] {
		out.History = append(out.History, turnRecord{Role: UserRole, Content: before.Query})
	}
	return out
}

// tidy gives the texts of a turn the same form for all kinds of files.
func (t *scriptedRecord) tidy() {
	t.Query = trimText(t.Query)
	t.Gold.tidy()
}

// lintTurns checks each turn of a conversation with the rules for a gold and for checks.
func lintTurns(file string, r *record, q *Query) (found []Finding) {
	for i := range q.Turns {
		turn := q.Turn(i, q.MessagesBefore(i))
		l := linter{file: file, record: r.Turns[i].record(r, i), query: &turn}
		if turn.HasGold() {
			l.gold()
		}
		l.doubts()
		found = append(found, l.found...)
	}
	return found
}

// writtenTurn is a turn as written to a file.
type writtenTurn struct {
	Query   string         `json:"query"`
	Gold    *writtenGold   `json:"gold,omitempty"`
	Checks  []checks.Check `json:"checks,omitempty"`
	Expects *Expects       `json:"expects,omitempty"`
}

// turnsToWrite returns the turns in the form in which they are written to a file. It returns nil if the query
// is not a conversation.
func turnsToWrite(q *Query) (out []writtenTurn) {
	for i := range q.Turns {
		t := q.Turn(i, nil)
		w := writtenTurn{Query: t.Text, Checks: t.Checks, Expects: t.Expects}
		if t.HasGold() {
			w.Gold = new(goldToWrite(&t.Gold))
		}
		out = append(out, w)
	}
	return out
}
