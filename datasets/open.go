package datasets

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/seed-5817661a/concur/datasets/checks"
	"github.com/seed-5817661a/concur/datasets/columns"
	"github.com/seed-5817661a/concur/datasets/promptfoo"
	"github.com/seed-5817661a/concur/internal/filekind"
	"github.com/seed-5817661a/concur/internal/strictyaml"
	"github.com/seed-5817661a/concur/internal/text"
)

// isOpen reports whether a record may use names of other programs. As soon as one record has a gold in concur's
// form, all later records must have concur's names, so that a misspelt name is an error.
func (l *loader) isOpen(n *yaml.Node) bool {
	switch {
	case l.strict || n.Kind != yaml.MappingNode || len(n.Content) == 0 || l.remap != nil && l.remap.foreign:
		return false
	case l.table:
		return true
	}
	if gold := child(n, "gold"); gold != nil && gold.Kind == yaml.MappingNode || isConversation(n) {
		l.strict = true
	}
	if list := child(n, checksField); list != nil {
		empty := list.Kind == yaml.SequenceNode && len(list.Content) == 0
		l.strict = l.strict || checks.Like(list) || empty && child(n, "query") != nil && child(n, "answer") == nil
	}
	return !l.strict
}

// translate returns a record with concur's names, including the names in its gold. Fields without such a name
// become metadata. If question or answer is missing, it returns nil. It reports this once for all records with
// the same names.
func (l *loader) translate(n *yaml.Node) *yaml.Node {
	names := make([]string, 0, len(n.Content)/2)
	at := func(i int) strictyaml.Pos {
		return strictyaml.Pos{Line: n.Content[2*i].Line, Column: n.Content[2*i].Column}
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		names = append(names, n.Content[i].Value)
	}
	key := strings.Join(names, "\x00")
	found, known := l.layouts[key]
	if !known {
		found = l.layout(names, at, n)
		l.layouts[key] = found
	}
	if found == nil {
		return nil
	}
	out := mappingNode(strictyaml.Pos{Line: n.Line, Column: n.Column})
	for i, c := range found {
		value := n.Content[2*i+1]
		if slices.Index(names, c.Name) < i {
			l.fail(at(i), c.Name, "duplicate field %.60q; keep one", c.Name)
			continue
		}
		if blank(value) {
			continue
		}
		if c.Field == "answer" && value.Kind == yaml.SequenceNode {
			if len(value.Content) != 1 {
				l.fail(strictyaml.Pos{Line: value.Line, Column: value.Column}, c.Name,
					"%d answers: take the first and its aliases with "+
						"`concur datasets convert %[2]s --map answer=%[3]s.0,aliases=%[3]s`, or one list "+
						"with --map answer=%[3]s --set type=list", len(value.Content), l.file, c.Name)
				return nil
			}
			value = value.Content[0]
		}
		if last := lastOfUser(value); c.Field == "query" && last != "" {
			l.fail(strictyaml.Pos{Line: value.Line, Column: value.Column}, c.Name, "a list of messages: take the last of "+
				"the user with `concur datasets convert %s --map %s`", l.file,
				strings.Replace(mapHint(found, n), "query="+c.Name+".0", "query="+c.Name+"."+last, 1))
			return nil
		}
		addColumn(out, c, strictyaml.Pos{Line: value.Line, Column: value.Column}, cellNode(c.Field, value))
	}
	return out
}

// addColumn adds the value of a column to a record: to the field of the column, or to the metadata.
func addColumn(n *yaml.Node, c columns.Column, at strictyaml.Pos, value *yaml.Node) {
	field := c.Field
	if field == "" {
		meta := child(n, "meta")
		if meta == nil {
			meta = mappingNode(at)
			n.Content = append(n.Content, textNode("meta", at), meta)
		}
		if meta.Kind == yaml.MappingNode && child(meta, c.Key()) == nil {
			meta.Content = append(meta.Content, textNode(c.Key(), at), metaNode(value))
		}
		return
	}
	before := child(n, field)
	if before != nil && field == "query" && before.Kind == yaml.ScalarNode && value.Kind == yaml.ScalarNode {
		before.Value += "\n\n" + value.Value // an instruction, and the input for it
		return
	}
	n.Content = append(n.Content, textNode(field, at), value)
}

// metaNode returns a value of the metadata as text. A list or an object is written as JSON.
func metaNode(n *yaml.Node) *yaml.Node {
	at := strictyaml.Pos{Line: n.Line, Column: n.Column}
	if n.Kind == yaml.ScalarNode {
		return textNode(n.Value, at)
	}
	var value any
	if n.Decode(&value) == nil {
		if raw, err := json.Marshal(value); err == nil {
			return textNode(string(raw), at)
		}
	}
	return n // an error in the decoder
}

// layout returns the meaning of a file's names, and notes what it guessed. If names are missing, it reports
// them and returns nil. A table with types has concur's own form; in such a table it also reports misspelt
// names. n is the first record with these names; nil for a table.
func (l *loader) layout(names []string, at func(i int) strictyaml.Pos, n *yaml.Node) []columns.Column {
	fields := fieldNames
	if l.table {
		fields = append(slices.Clone(fields), checksField)
	}
	found := columns.Find(names, fields)
	if l.table {
		markAssertions(found)
	}
	before := len(l.errs)
	kept := map[string]bool{}
	typed := slices.ContainsFunc(found, func(c columns.Column) bool { return c.Field == "type" })
	if !l.complete(found, at(0), n) {
		return nil
	}
	for i, c := range found {
		name := strings.TrimSpace(c.Name)
		if c.Field == "" && kept[c.Key()] {
			l.fail(at(i), "", "duplicate metadata %.60q; rename one", c.Key())
			continue
		}
		kept[c.Key()] = c.Field == "" && name != ""
		switch {
		case name == "" && l.table: // an index column, or separators at the end of rows
		case c.Field != "" && !strings.EqualFold(c.Field, name) && (c.Field == "query" || c.Field == "answer"):
			l.notes.Fact("%s from %.40q", c.Field, name)
		case c.Field != "" || strings.HasPrefix(strings.ToLower(name), columns.Meta):
		case typed && c.Near != "":
			l.fail(at(i), "", "unknown column %.60q (did you mean %q?)", name, c.Near)
		case typed && l.table:
			l.fail(at(i), "", "unknown column %.60q; name it %s%s to keep it", name, columns.Meta, name)
		default:
			l.notes.Kept(name)
			if isOptions(name) {
				l.notes.Doubt("%.40q is metadata, so the agent does not see the options: put them into the query, "+
					"as --mapping mmlu of `concur datasets convert` does", name)
			} else if c.Instead != "" {
				l.notes.Doubt("%.40q is metadata, because %.40q is used; "+
					"choose otherwise with `concur datasets convert %s --map`", name, c.Instead, l.file)
			} else if c.Near != "" {
				l.notes.Doubt("%.40q is metadata; did you mean %q?", name, c.Near)
			}
		}
	}
	if len(l.errs) > before {
		return nil
	}
	return found
}

// promptfooField is the field of columns with which promptfoo writes assertions.
const promptfooField = "assertions of promptfoo"

// markAssertions gives columns of promptfoo their meaning, if at least one of them has assertions.
func markAssertions(found []columns.Column) {
	if !slices.ContainsFunc(found, func(c columns.Column) bool { return strings.HasPrefix(c.Name, promptfoo.Expected) }) {
		return
	}
	for i, c := range found {
		of, meta := strings.CutPrefix(c.Name, "__metadata:")
		switch {
		case meta:
			found[i] = columns.Column{Name: columns.Meta + strings.TrimSuffix(of, "[]")}
		case c.Name == "__description":
			found[i] = columns.Column{Name: columns.Meta + "description"}
		case strings.HasPrefix(c.Name, "__"):
			found[i] = columns.Column{Name: c.Name, Field: promptfooField}
		}
	}
}

// complete reports whether the file or a mapping gives a question, and an answer or another kind of gold.
func (l *loader) complete(found []columns.Column, at strictyaml.Pos, n *yaml.Node) bool {
	has := func(fields ...string) bool {
		for _, field := range fields {
			if l.remap != nil {
				if _, set := l.remap.from[field]; set {
					return true
				}
			}
			if slices.ContainsFunc(found, func(c columns.Column) bool { return c.Field == field }) {
				return true
			}
		}
		return false
	}
	missing := ""
	switch {
	case !has("query"):
		missing = "query"
	case !has("answer", "all_of", "none_of", "condition", "outcome", "expects", checksField, promptfooField):
		missing = "answer"
	default:
		return true
	}
	var names, near []string
	for _, c := range found {
		if l.table && strings.EqualFold(strings.TrimSpace(c.Name), "turns") {
			l.fail(at, "", csvTurns)
			return false
		}
		names = append(names, fmt.Sprintf("%.40s", strings.TrimSpace(c.Name)))
		if c.Near != "" {
			near = append(near, c.Name+": did you mean "+c.Near+"?")
		}
	}
	if kind, is := filekind.Of("", names, true); missing == "query" && is && kind.What != filekind.Dataset {
		l.kind = kind.Says(l.file)
	}
	of := "field"
	if l.table {
		of = "column"
	}
	hint := ""
	if len(near) > 0 {
		hint = " (" + strings.Join(near, " ") + ")"
	}
	l.fail(at, "", "no %s has the %s; there are %s%s; name it %s or %s, or map it: "+
		"`concur datasets convert %s --map %s`",
		of, missing, text.ListedUpTo(8, names), hint, missing, columns.Others(missing)[0], l.file, mapHint(found, n))
	return false
}
