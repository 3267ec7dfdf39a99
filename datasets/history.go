package datasets

import (
	"cmp"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/seed-5817661a/concur/internal/strictyaml"
)

// Turn is a message of the conversation that a query continues.
type Turn struct {
	Role    string `json:"role"` // UserRole or AssistantRole
	Content string `json:"content"`
}

// The roles of a Turn.
const (
	UserRole      = "user"
	AssistantRole = "assistant"
)

// Context is what a query was asked in.
type Context struct {
	History []Turn `json:"history,omitempty"` // earlier messages, oldest first
	Owner   string `json:"owner,omitempty"`   // who asks; may be empty
	// Now is when it is asked, to which "yesterday" refers: a date (2024-05-03) or a time
	// (RFC 3339); "" if the query does not say.
	Now string `json:"now,omitempty"`
}

// Today is the date of Now; false without one.
func (c Context) Today() (time.Time, bool) {
	t, err := time.Parse(time.DateOnly, c.Now[:min(len(c.Now), len(time.DateOnly))])
	return t, err == nil
}

// Wordings are the text of the query and, behind it, what makes it understood: the same question
// rewritten to stand alone, or else the conversation before it.
func (q Query) Wordings(rewritten string) string {
	switch {
	case rewritten != "" && rewritten != q.Text:
		return q.Text + "\n\nThe same question, rewritten to stand alone: " + rewritten
	case rewritten != "" || len(q.History) == 0:
		return q.Text
	}
	out := q.Text + "\n\nThe conversation before it:"
	for _, turn := range q.History {
		out += "\n" + turn.Role + ": " + turn.Content
	}
	return out
}

// turnRecord is a turn in the form of a file.
type turnRecord struct {
	Role    string          `yaml:"role"`
	Content string          `yaml:"content"`
	At      strictyaml.Pos  `yaml:",pos"`
	Given   strictyaml.Keys `yaml:",keys"`
}

// context checks what a query was asked in.
func (c *checker) context(path string, e *record) Context {
	out := Context{Owner: e.Owner, Now: e.Now}
	_, noDate := time.Parse(time.DateOnly, e.Now)
	if _, noTime := time.Parse(time.RFC3339, e.Now); e.Now != "" && noDate != nil && noTime != nil {
		c.fail(e.Given["now"], below(path, "now"), "%.40q is no date: write 2024-05-03 or 2024-05-03T09:30:00Z", e.Now)
	}
	for i, t := range e.History {
		at := below(path, fmt.Sprintf("history[%d]", i))
		oneOf(c, cmp.Or(t.Given["role"], t.At), at, "role", t.Role, UserRole, AssistantRole)
		if t.Content == "" {
			c.fail(cmp.Or(t.Given["content"], t.At), below(at, "content"), "is empty: leave the message out")
		}
		out.History = append(out.History, Turn{t.Role, t.Content})
	}
	return out
}

// history looks at the order of the earlier messages.
func (l *linter) history() {
	turns := l.record.History
	if len(turns) == 0 {
		return
	}
	if turns[0].Role == AssistantRole {
		l.report(turns[0].At, OddHistory, "the history begins with the assistant: begin with what it replied to")
	}
	for i := 1; i < len(turns); i++ {
		if turns[i].Role == turns[i-1].Role {
			l.report(turns[i].At, OddHistory, "two messages of the %s follow one another: a server may refuse that, or join them", turns[i].Role)
		}
	}
	switch last := turns[len(turns)-1]; {
	case last.Content == l.record.Query:
		l.report(last.At, OddHistory, "the last message of the history is the query: drop it")
	case last.Role == UserRole:
		l.report(last.At, OddHistory, "the history ends with the user, whose next message is the query: add the reply, or drop the message")
	}
}

// memorySuffix takes the place of the extension in the name of a dataset's memory file.
const memorySuffix = "-memory.jsonl"

// MemoryOf names the memory that a dataset brings: its own name for a built-in dataset that has
// one, QUERIES-memory.jsonl beside a file QUERIES.yaml; "" for a dataset without one.
func MemoryOf(nameOrPath string) string {
	if IsBuiltinMemory(nameOrPath) {
		return nameOrPath
	}
	if slices.Contains(Builtin(), nameOrPath) {
		return ""
	}
	unpacked := strings.TrimSuffix(nameOrPath, ".gz")
	if dot := strings.LastIndexByte(unpacked, '.'); dot > 0 {
		unpacked = unpacked[:dot]
	}
	if _, err := os.Stat(unpacked + memorySuffix); err != nil {
		return ""
	}
	return unpacked + memorySuffix
}

// IsBuiltinMemory reports whether a built-in dataset of this name brings a memory.
func IsBuiltinMemory(name string) bool {
	_, err := fs.Stat(builtin, builtinMemory(name))
	return err == nil
}

// OpenMemory opens the memory of a built-in dataset (see IsBuiltinMemory), and else the file.
func OpenMemory(nameOrPath string) (io.ReadCloser, error) {
	if IsBuiltinMemory(nameOrPath) {
		return builtin.Open(builtinMemory(nameOrPath))
	}
	return os.Open(nameOrPath)
}

func builtinMemory(name string) string { return "builtin/" + name + memorySuffix }
