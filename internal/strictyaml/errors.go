package strictyaml

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/seed-5817661a/concur/internal/secret"
)

// Error is one finding in a file.
type Error struct {
	File    string // the name given to Decode
	Line    int    // from 1; 0 if the finding has no line
	Column  int    // from 1, in characters; 0 if the finding has no column
	Path    string // such as "[3].gold.type"; "" at the top
	Message string
}

// Error prints "file:line:column: path: message" without unknown parts, and without texts that look like a
// key, because some users write a key in place of a name.
func (e *Error) Error() string {
	place := e.File
	for _, n := range []int{e.Line, e.Column} {
		if n == 0 {
			break
		}
		place += ":" + strconv.Itoa(n)
	}
	parts := []string{strings.TrimPrefix(place, ":"), secret.Redact(e.Path), secret.Redact(e.Message)}
	return strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part == "" }), ": ")
}

// Errors holds all findings of one or more files.
type Errors []*Error

// maxPrinted is the maximum number of printed findings, so that a completely wrong file does not fill the
// terminal.
const maxPrinted = 50

// Error prints one finding per line, at most 50 of them.
func (es Errors) Error() string {
	var lines []string
	for _, e := range es[:min(len(es), maxPrinted)] {
		lines = append(lines, e.Error())
	}
	if more := len(es) - maxPrinted; more > 0 {
		lines = append(lines, fmt.Sprintf("… and %d more", more))
	}
	return strings.Join(lines, "\n")
}

// Err returns nil if there are no findings, else the findings in order of file, line and column.
func (es Errors) Err() error {
	if len(es) == 0 {
		return nil
	}
	return Errors(slices.SortedStableFunc(slices.Values(es), func(a, b *Error) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	}))
}

// Errorf returns a finding at a node, for use in an Unmarshaler.
func Errorf(n *yaml.Node, format string, args ...any) *Error {
	return &Error{Line: n.Line, Column: n.Column, Message: fmt.Sprintf(format, args...)}
}

// adopt turns an error of an Unmarshaler into findings of this file. Findings keep their place and get path as
// a prefix; any other error is reported at n.
func adopt(err error, file, path string, n *yaml.Node) Errors {
	var list Errors
	var one *Error
	switch {
	case errors.As(err, &list):
	case errors.As(err, &one):
		list = Errors{one}
	default:
		list = Errors{Errorf(n, "%v", err)}
	}
	adopted := make(Errors, len(list))
	for i, e := range list {
		moved := *e
		moved.File, moved.Path = file, joinPath(path, e.Path)
		if moved.Line == 0 {
			moved.Line, moved.Column = n.Line, n.Column
		}
		adopted[i] = &moved
	}
	return adopted
}

// joinPath appends a field name, or an index in brackets, to a path.
func joinPath(path, step string) string {
	if path == "" || step == "" || strings.HasPrefix(step, "[") {
		return path + step
	}
	return path + "." + step
}
