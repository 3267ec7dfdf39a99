package datasets

import (
	"bufio"
	"fmt"
	"strings"
	"unicode"
)

// writeYAML writes by hand what a person would: one field a line, names plain,
// everything else in quotes, lists in brackets.
func writeYAML(w *bufio.Writer, queries []Query) {
	for i := range queries {
		if i > 0 {
			w.WriteByte('\n')
		}
		q := toWrite(&queries[i])
		field(w, "- id", plain(q.ID))
		field(w, "  category", plain(q.Category))
		field(w, "  query", quoted(q.Query))
		w.WriteString("  gold:\n")
		g := &q.Gold
		field(w, "    type", g.Type)
		field(w, "    answer", quoted(g.Answer))
		field(w, "    aliases", bracketed(g.Aliases, quoted))
		field(w, "    tolerance", quoted(g.Tolerance))
		field(w, "    ordered", flag(g.Ordered))
		field(w, "    unit_optional", flag(g.UnitOptional))
		field(w, "    prefix_date", flag(g.PrefixDate))
		field(w, "    bare_percent", flag(g.BarePercent))
		field(w, "    all_of", bracketed(g.AllOf, quotedGroup))
		field(w, "    none_of", bracketed(g.NoneOf, quoted))
		field(w, "    condition", quoted(g.Condition))
		field(w, "    outcome", g.Outcome)
		if q.MaxSteps > 0 {
			fmt.Fprintf(w, "  max_steps: %d\n", q.MaxSteps)
		}
		field(w, "  cluster", plain(q.Cluster))
		field(w, "  source", plain(q.Source))
		field(w, "  tags", bracketed(q.Tags, quoted))
	}
}

// field writes a line, or nothing where there is no value.
func field(w *bufio.Writer, name, value string) {
	if value != "" {
		fmt.Fprintf(w, "%s: %s\n", name, value)
	}
}

// flag is empty for false.
func flag(set bool) string {
	if set {
		return "true"
	}
	return ""
}

// bracketed is empty for no items.
func bracketed[T any](items []T, show func(T) string) string {
	if len(items) == 0 {
		return ""
	}
	parts := make([]string, len(items))
	for i, item := range items {
		parts[i] = show(item)
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

func quotedGroup(group any) string {
	if words, several := group.([]string); several {
		return bracketed(words, quoted)
	}
	return quoted(fmt.Sprint(group))
}

// plain leaves a name without quotes where no reader of YAML takes it for anything
// else: letters first, and no word that stands for a value.
func plain(s string) string {
	switch strings.ToLower(s) {
	case "null", "true", "false", "yes", "no", "on", "off", "y", "n":
		return quoted(s)
	}
	for i, r := range s {
		letter := 'A' <= r && r <= 'Z' || 'a' <= r && r <= 'z'
		if !letter && (i == 0 || r != '-' && r != '_' && (r < '0' || r > '9')) {
			return quoted(s)
		}
	}
	return s
}

// quoted is text in double quotes on one line, with everything escaped that does
// not show. It is empty for empty text.
func quoted(s string) string {
	if s == "" {
		return ""
	}
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case unicode.IsPrint(r):
			b.WriteRune(r)
		case r <= 0xFFFF:
			fmt.Fprintf(&b, `\u%04X`, r)
		default:
			fmt.Fprintf(&b, `\U%08X`, r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
