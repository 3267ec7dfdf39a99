package datasets

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/seed-5817661a/concur/datasets/jsonnode"
	"github.com/seed-5817661a/concur/internal/lines"
	"github.com/seed-5817661a/concur/internal/strictyaml"
)

// Turn is a message of the conversation before a query.
type Turn struct {
	Role    string `json:"role"` // UserRole or AssistantRole
	Content string `json:"content"`
}

// The roles of a Turn.
const (
	UserRole      = "user"
	AssistantRole = "assistant"
)

// Context holds the circumstances of a query: earlier messages, owner and time.
type Context struct {
	History []Turn `json:"history,omitempty"` // earlier messages, oldest first
	Owner   string `json:"owner,omitempty"`   // the person who asks; may be empty
	// Now is the time of the query, so that "yesterday" has a meaning: a date (2024-05-03) or a time (RFC
	// 3339); It is "" if the query has no time.
	Now string `json:"now,omitempty"`
}

// Today returns the date of Now; ok is false if Now is empty.
func (c Context) Today() (time.Time, bool) {
	t, err := time.Parse(time.DateOnly, c.Now[:min(len(c.Now), len(time.DateOnly))])
	return t, err == nil
}

// Wordings returns the text of the query, followed by its context. If rewritten is not empty, the context is
// rewritten: the question in a form that needs no conversation. Otherwise it is the conversation before the
// query.
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

// turnRecord is a Turn as written in a file.
type turnRecord struct {
	Role    string          `yaml:"role"`
	Content string          `yaml:"content"`
	At      strictyaml.Pos  `yaml:",pos"`
	Given   strictyaml.Keys `yaml:",keys"`
}

// historyOf returns the messages of a file.
func historyOf(list []turnRecord) (out []Turn) {
	for _, t := range list {
		out = append(out, Turn{t.Role, t.Content})
	}
	return out
}

// context checks the history, the owner and the time of a query.
func (c *checker) context(path string, e *record) Context {
	if err := CheckNow(e.Now); err != nil {
		c.fail(e.Given["now"], below(path, "now"), "%v", err)
	}
	return Context{Owner: e.Owner, Now: cmp.Or(e.Now, c.now), History: c.turns(below(path, "history"), e.History)}
}

// setNow sets the time of the queries that give none. now is at a place of the file.
func (c *checker) setNow(now string, at strictyaml.Pos) {
	if err := CheckNow(now); err != nil {
		c.fail(at, "now", "%v", err)
		return
	}
	c.now = now
}

// CheckNow returns an error unless now is a date, a time or "" (see Context.Now).
func CheckNow(now string) error {
	if now == "" {
		return nil
	}
	_, noDate := time.Parse(time.DateOnly, now)
	_, noTime := time.Parse(time.RFC3339, now)
	if noDate != nil && noTime != nil {
		return fmt.Errorf("%.40q is not a date: write 2024-05-03 or 2024-05-03T09:30:00Z", now)
	}
	return nil
}

// turns checks the messages of a conversation.
func (c *checker) turns(path string, list []turnRecord) (out []Turn) {
	for i, t := range list {
		at := fmt.Sprintf("%s[%d]", path, i)
		oneOf(c, cmp.Or(t.Given["role"], t.At), at, "role", t.Role, UserRole, AssistantRole)
		if t.Content == "" {
			c.fail(cmp.Or(t.Given["content"], t.At), below(at, "content"), "is empty: leave the message out")
		}
		out = append(out, Turn{t.Role, t.Content})
	}
	return out
}

// LoadHistory reads the messages of a conversation from a file, the oldest first: a list in YAML (.yaml, .yml)
// or JSON (.json), or one message per line (.jsonl). Each message has role and content, as in the history of a
// query. The file may have at most 64 MiB. The error lists all faults, one "file:line:column: path: message"
// per line.
func LoadHistory(path string) ([]Turn, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("load history: %w", err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, strictyaml.MaxBytes+1)) // one byte more than Decode accepts
	if err != nil {
		return nil, fmt.Errorf("load history: %w", err)
	}
	c := &checker{file: path, reported: map[strictyaml.Pos]bool{}}
	var list []turnRecord
	switch extension := filepath.Ext(path); extension {
	case ".yaml", ".yml":
		err = strictyaml.Decode(path, data, &list)
	case ".json":
		err = c.json(bytes.TrimPrefix(data, []byte(lines.ByteOrderMark)), 1, &list)
	case ".jsonl":
		list, err = c.turnLines(data)
	default:
		return nil, fmt.Errorf("load history: the extension of %s is %q: name it .jsonl, .json, .yaml or .yml", path,
			extension)
	}
	if err != nil {
		return nil, err
	}
	for i := range list {
		list[i].Content = trimText(list[i].Content)
	}
	out := c.turns("", list)
	if len(out) == 0 {
		c.fail(strictyaml.Pos{}, "", `there are no messages; write one as {"role": "user", "content": "…"}`)
	}
	return out, c.errs.Err()
}

// turnLines reads one message per line. failed lists all lines that cannot be read.
func (c *checker) turnLines(data []byte) (list []turnRecord, failed error) {
	lines.Each(bytes.NewReader(data), func(number int, line []byte, err error) {
		if err != nil {
			c.fail(strictyaml.Pos{Line: number}, "", "%v", err)
			return
		}
		var t turnRecord
		if c.json(line, number, &t) == nil {
			list = append(list, t)
		}
	})
	return list, c.errs.Err()
}

// json decodes a JSON value that begins at the start of a line.
func (c *checker) json(text []byte, line int, into any) error {
	n, wrong := jsonnode.Parse(text, strictyaml.Pos{Line: line, Column: 1})
	if wrong != nil {
		wrong.File = c.file
		c.errs = append(c.errs, wrong)
		return c.errs
	}
	found := strictyaml.DecodeAt(c.file, "", n, into)
	c.errs = append(c.errs, found...)
	return found.Err()
}

// history checks the order of the earlier messages.
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
			l.report(turns[i].At, OddHistory, "two messages of the %s follow one another, which some servers refuse: "+
				"join them", turns[i].Role)
		}
	}
	switch last := turns[len(turns)-1]; {
	case last.Content == l.record.Query:
		l.report(last.At, OddHistory, "the last message of the history is the query: remove it")
	case last.Role == UserRole:
		l.report(last.At, OddHistory, "the history ends with a message of the user, but so does the query: add the "+
			"reply between them, or remove the message")
	}
}

// memorySuffix replaces the extension of a dataset's file in the name of its memory file.
const memorySuffix = "-memory.jsonl"

// MemoryOf returns the name of a dataset's memory. For a built-in dataset that has a memory, this is the name
// of the dataset. For a file QUERIES.yaml, it is the file QUERIES-memory.jsonl in the same folder, if it
// exists. Otherwise it is "".
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

// IsBuiltinMemory reports whether a built-in dataset with this name has a memory.
func IsBuiltinMemory(name string) bool {
	_, err := fs.Stat(builtin, builtinMemory(name))
	return err == nil
}

// OpenMemory opens the memory of a built-in dataset (see IsBuiltinMemory). If no such dataset has this name, it
// opens the file of this name.
func OpenMemory(nameOrPath string) (io.ReadCloser, error) {
	if IsBuiltinMemory(nameOrPath) {
		return builtin.Open(builtinMemory(nameOrPath))
	}
	return os.Open(nameOrPath)
}

func builtinMemory(name string) string { return "builtin/" + name + memorySuffix }
