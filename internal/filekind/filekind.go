// Package filekind recognises a file that was given to the wrong command, by its schema or by the names of its
// top-level fields. The table kinds.tsv lists the kinds, each with the command that reads it.
package filekind

import (
	"bytes"
	_ "embed"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"gopkg.in/yaml.v3"

	"github.com/seed-5817661a/concur/internal/lines"
)

//go:embed kinds.tsv
var table string

// The values of Kind.What that other packages compare with.
const (
	Dataset       = "a dataset"
	Ablation      = "an ablation"
	Configuration = "a configuration of concur"
	Workbook      = "a workbook of a spreadsheet program"
)

// Kind is the kind of a file.
type Kind struct {
	What    string // such as "a baseline"
	line    bool   // the file has one object a line, or is a list of objects
	schema  string
	fields  [][]string // sets of names; the file must have all names of one set
	command string
}

// kinds returns the rows of the table.
var kinds = sync.OnceValue(func() []Kind {
	var out []Kind
	for line := range strings.Lines(table) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		cells := strings.Split(strings.TrimRight(line, "\n"), "\t")
		k := Kind{What: cells[0], line: cells[1] == "line", schema: cells[2], command: cells[4]}
		for _, set := range strings.Split(cells[3], "|") {
			k.fields = append(k.fields, strings.Split(set, "+"))
		}
		out = append(out, k)
	}
	return out
})

// Says returns the message for a file at a path: its kind, and the command that reads it.
func (k Kind) Says(path string) string {
	if k.command == "" {
		return "this is " + k.What
	}
	command := strings.NewReplacer("FILE", path, "FOLDER", filepath.Dir(path)).Replace(k.command)
	return fmt.Sprintf("this is %s; the command for it is: %s", k.What, command)
}

// IsFor reports whether the kind belongs to a command, such as "judge calibrate".
func (k Kind) IsFor(command string) bool { return strings.HasPrefix(k.command, "concur "+command+" ") }

// Of returns the kind of a file by its schema, which may be "", and the names of its fields. The fields are
// those of the file's only object or, if line is true, of its first object.
func Of(schema string, names []string, line bool) (Kind, bool) {
	for _, k := range kinds() {
		if k.schema != "-" && strings.HasPrefix(schema, k.schema) {
			return k, true
		}
		if schema == "" && k.line == line && slices.ContainsFunc(k.fields, func(set []string) bool {
			return !slices.ContainsFunc(set, func(name string) bool { return !slices.Contains(names, name) })
		}) {
			return k, true
		}
	}
	return Kind{}, false
}

// OfNode returns the kind of a file by its decoded value.
func OfNode(n *yaml.Node) (Kind, bool) {
	line := n.Kind == yaml.SequenceNode
	if line && len(n.Content) > 0 {
		n = n.Content[0]
	}
	schema, names := Fields(n)
	return Of(schema, names, line)
}

// Fields returns the names of an object's fields and its schema; empty for any other value.
func Fields(n *yaml.Node) (schema string, names []string) {
	if n.Kind != yaml.MappingNode {
		return "", nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		names = append(names, n.Content[i].Value)
		if n.Content[i].Value == "schema" {
			schema = n.Content[i+1].Value
		}
	}
	return schema, names
}

// OfFile returns the kind of a file by its text, or by its extension if only datasets have that extension.
func OfFile(path string, data []byte) (Kind, bool) {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".csv", ".tsv":
		return Of("concur/dataset/", nil, true)
	case ".jsonl":
		first, _, _ := bytes.Cut(data, []byte("\n"))
		data = slices.Concat([]byte("["), first, []byte("]"))
	}
	return OfYAML(data)
}

// longest is the maximum number of bytes that are read to find the kind of a file.
const longest = 4 << 20

// OfPath returns the kind of the file at a path, which may be compressed with gzip, or be a workbook of a
// spreadsheet program. It finds no kind if the file cannot be read.
func OfPath(path string) (Kind, bool) {
	file, err := os.Open(path)
	if err != nil {
		return Kind{}, false
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(lines.Decompressed(file), longest))
	switch {
	case err != nil:
		return Kind{}, false
	case bytes.HasPrefix(data, []byte("PK\x03\x04")), bytes.HasPrefix(data, []byte("\xD0\xCF\x11\xE0")):
		return Kind{What: Workbook}, true
	}
	return OfFile(strings.TrimSuffix(path, ".gz"), data)
}

// IsConfiguration reports whether a text is a configuration of concur. The keys of the first test distinguish one with
// tests and unknown keys from a configuration of promptfoo.
func IsConfiguration(data []byte) bool {
	kind, found := OfYAML(data)
	if !found || kind.What == Configuration {
		return found
	}
	var whole map[string]yaml.Node
	if yaml.Unmarshal(data, &whole) != nil || whole["prompts"].Kind != 0 { // no panic after OfYAML
		return false
	}
	tests := whole["tests"]
	if tests.Kind != yaml.SequenceNode || len(tests.Content) == 0 {
		return false
	}
	_, names := Fields(tests.Content[0])
	return len(names) > 0 && !slices.ContainsFunc(names, func(name string) bool {
		return slices.Contains(promptfooTest, name)
	})
}

// promptfooTest are keys of a test of promptfoo that no query of concur has.
var promptfooTest = []string{"vars", "assert", "provider", "providers", "prompts", "description", "options",
	"threshold"}

// OfYAML returns the kind of a file by its text, YAML or one JSON value.
func OfYAML(data []byte) (kind Kind, found bool) {
	defer func() { // the library panics on internal errors
		if recover() != nil {
			found = false
		}
	}()
	var root yaml.Node
	if yaml.Unmarshal(data, &root) != nil || len(root.Content) == 0 {
		return Kind{}, false
	}
	return OfNode(root.Content[0])
}
