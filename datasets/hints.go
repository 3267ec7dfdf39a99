package datasets

import (
	"cmp"
	_ "embed" // for foreign.tsv
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"gopkg.in/yaml.v3"

	"github.com/seed-5817661a/concur/datasets/columns"
	"github.com/seed-5817661a/concur/internal/strictyaml"
	"github.com/seed-5817661a/concur/internal/text"
)

// mapHint returns what to write after --map so that a file whose fields have other names can be read:
// query=inputs.question,answer=outputs.answer. n is a record of the file, or nil. A part that cannot be found in
// the record is NAME.
func mapHint(found []columns.Column, n *yaml.Node) string {
	hints := make([]string, 0, 2)
	for _, field := range []string{"query", "answer"} {
		hint := field + "=" + cmp.Or(pathHint(field, found, n), "NAME")
		if of, first := strings.CutSuffix(hint, ".0"); first && field == "answer" {
			hint += ",aliases=" + strings.TrimPrefix(of, "answer=")
		}
		hints = append(hints, hint)
	}
	return strings.Join(hints, ",")
}

// pathHint returns the path of a field of a query: the column that has it, or else a path into the record, or else
// a column with a similar name.
func pathHint(field string, found []columns.Column, n *yaml.Node) string {
	similar := ""
	for _, c := range found {
		name := strings.TrimSpace(c.Name)
		switch {
		case c.Field == field && n != nil && kindOf(child(n, c.Name)) == yaml.SequenceNode:
			return name + ".0"
		case c.Field == field:
			return name
		case similar == "" && c.Near != "" && columns.Known(c.Near, []string{field}) &&
			(n == nil || kindOf(child(n, c.Name)) == yaml.ScalarNode):
			similar = name
		}
	}
	if n == nil {
		return similar
	}
	return cmp.Or(pathIn(n, field, 3), similar)
}

// kindOf returns the kind of a node; 0 for nil.
func kindOf(n *yaml.Node) yaml.Kind {
	if n == nil {
		return 0
	}
	return n.Kind
}

// pathIn returns the path to the first value in an object whose key is a usual name for the field, or the plural
// of one. It goes at most depth objects deep.
func pathIn(n *yaml.Node, field string, depth int) string {
	if n.Kind != yaml.MappingNode || depth == 0 {
		return ""
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		name, value := n.Content[i].Value, n.Content[i+1]
		if !columns.Known(strings.TrimSuffix(name, "s"), []string{field}) && !columns.Known(name, []string{field}) {
			continue
		}
		if list := child(value, "text"); value.Kind == yaml.MappingNode && list != nil {
			name, value = name+".text", list // the answers of SQuAD, as Hugging Face keeps them
		}
		switch value.Kind {
		case yaml.ScalarNode:
			return name
		case yaml.SequenceNode:
			return name + ".0"
		}
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if path := pathIn(n.Content[i+1], field, depth-1); path != "" {
			return n.Content[i].Value + "." + path
		}
	}
	return ""
}

// lastOfUser returns the path from a list of chat messages to the text of the last message by the user; "" if n
// is not such a list.
func lastOfUser(n *yaml.Node) string {
	if n.Kind != yaml.SequenceNode {
		return ""
	}
	for i := len(n.Content) - 1; i >= 0; i-- {
		role, content := child(n.Content[i], "role"), child(n.Content[i], "content")
		if role != nil && role.Value == "user" && content != nil && content.Kind == yaml.ScalarNode {
			return strconv.Itoa(i) + ".content"
		}
	}
	return ""
}

// isOptions reports whether a column holds the options of multiple-choice questions.
func isOptions(name string) bool {
	switch strings.ToLower(strings.TrimSpace(name)) {
	case "choices", "options", "answer_choices":
		return true
	}
	return false
}

// queryHint returns the field of a record that has the query under a name of another program; "" if there is no such
// field, or if the record has a field query.
func queryHint(n *yaml.Node) string {
	if child(n, "query") != nil {
		return ""
	}
	for _, name := range columns.Others("query") {
		if kindOf(child(n, name)) == yaml.ScalarNode {
			return name
		}
	}
	return ""
}

//go:embed foreign.tsv
var foreignTable string

// fieldLike is a field by which the records of a published dataset are recognised.
type fieldLike struct {
	path  string
	value *regexp.Regexp
}

var foreign = sync.OnceValue(func() map[string][]fieldLike {
	out := map[string][]fieldLike{}
	for _, row := range text.Rows(foreignTable, 3) {
		out[row[0]] = append(out[row[0]], fieldLike{row[1], regexp.MustCompile("^(?:" + row[2] + ")$")})
	}
	return out
})

// mappingFor returns the built-in mapping that reads files with such records; "" if there is no such mapping.
func mappingFor(n *yaml.Node) string {
	for _, name := range Mappings() {
		fields := foreign()[name]
		fits := len(fields) > 0
		for _, f := range fields {
			_, value := lookup(n, f.path)
			fits = fits && kindOf(value) == yaml.ScalarNode && f.value.MatchString(value.Value)
		}
		if fits {
			return name
		}
	}
	return ""
}

// recognise looks whether the first record of a file is of a dataset that has a mapping. n has the names of the file.
func (l *loader) recognise(n *yaml.Node) {
	if isMapped := l.remap != nil && len(l.remap.from) > 0; l.records <= 1 && !isMapped && l.mapping == "" {
		l.mapping = mappingFor(n)
	}
}

// recognised returns an error if a mapping should read the file and there are errors; only the first of these is
// kept, because they follow from this one. If there are no errors, it makes a note.
func (l *loader) recognised() error {
	if l.mapping == "" {
		return nil
	}
	file := l.file
	if strings.Contains(file, " ") { // a shell needs quotes there; or it is the standard input
		file = "FILE"
	}
	advice := fmt.Sprintf("these are records of %s: convert them with `concur datasets convert %s --mapping %s`",
		l.mapping, file, l.mapping)
	if len(l.errs) == 0 {
		l.notes.Doubt("%s", advice)
		return nil
	}
	return strictyaml.Errors{l.errs[0], {File: l.file, Message: advice}}
}

// rawRow returns a row as a record with the names of its table.
func rawRow(header, cells []string, at []strictyaml.Pos) *yaml.Node {
	n := mappingNode(at[0])
	for i := range min(len(header), len(cells)) {
		n.Content = append(n.Content, textNode(header[i], at[i]), textNode(cells[i], at[i]))
	}
	return n
}
