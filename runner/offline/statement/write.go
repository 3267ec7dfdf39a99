package statement

import (
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/internal/value"
)

// Statement is a statement and how its result answers the question.
type Statement struct {
	SQL string
	// Many is true if the answer may have several rows.
	Many bool
	// Counts is true if the result is a count or a sum, for which a condition that no row meets is no answer.
	Counts bool
	// Score is larger if the names of the database explain more words of the question.
	Score int
}

// maxUnknown is the number of words, such as verbs, that the statement need not explain.
const maxUnknown = 2

// Write writes the statement for a question. about has words for the database, such as its name. ok is false if the
// question has none of the known shapes, or if the database has no column for what it asks.
func Write(question, about string, tables []Table) (s Statement, ok bool) {
	p := &plan{schema: newSchema(tables), items: read(question)}
	p.link(strings.ToLower(about))
	if !p.wanted() || !p.conditions() {
		return s, false
	}
	unknown := 0
	for _, i := range p.items {
		switch {
		case i.phrase != "" && !i.used, i.value != nil && !i.used, i.role == "none" && !i.used:
			return s, false
		case len(i.columns) > 0 && i.table == nil && !i.used && !p.reads(i): // the question means more than the statement
			return s, false
		case i.loose():
			unknown++
		case i.linked() || i.used:
			s.Score++
		}
	}
	if unknown > maxUnknown {
		return s, false
	}
	s.Score -= unknown
	s.Many, s.Counts = p.many, p.counts
	s.SQL, ok = p.sql()
	return s, ok
}

// plan is a statement in progress.
type plan struct {
	*schema
	items   []*item
	main    *table    // whose rows the statement reads
	target  *column   // what it selects; nil for the number of rows
	shape   string    // of the target: "" or an aggregate function
	single  bool      // only distinct values count
	where   []string  // conditions
	columns []*column // the columns of conditions
	tables  []*table  // the tables of conditions
	group   *column   // one result for each value; the order is then by the aggregate
	order   *column
	down    bool // the order is descending
	many    bool
	counts  bool
}

// link finds the tables and columns that words name. A word of about is explained by the database itself.
func (p *plan) link(about string) {
	context := map[string]bool{}
	for w := range strings.FieldsSeq(about) {
		context[concept(strings.Trim(w, ".,:;"))] = true
	}
	for _, i := range p.items {
		if i.low == "" || i.role == "stop" {
			continue
		}
		i.table = p.schema.table(i.concept)
		unit, isUnit := value.ParseUnit(i.low)
		for _, t := range p.schema.tables {
			for _, c := range t.columns {
				if i.table == nil && slices.Contains(c.parts, i.concept) ||
					isUnit && c.unit != nil && unit.Name == c.unit.Name {
					i.columns = append(i.columns, c)
				}
			}
		}
		i.used = !i.linked() && i.role == "" && context[i.concept]
	}
}

// at returns item n, or an empty item.
func (p *plan) at(n int) *item {
	if n < 0 || n >= len(p.items) {
		return &item{}
	}
	return p.items[n]
}

// mentioned reports whether the question names a table.
func (p *plan) mentioned(t *table) bool {
	return slices.ContainsFunc(p.items, func(i *item) bool { return i.table == t })
}

// choose returns the column that an item means: one that fits, if possible of a table that the question names.
func (p *plan) choose(i *item, fits func(*column) bool) *column {
	var found *column
	for _, c := range i.columns {
		switch {
		case !fits(c):
		case found == nil, p.parts(c) > p.parts(found),
			p.parts(c) == p.parts(found) && p.near(c) > p.near(found):
			found = c
		}
	}
	return found
}

// parts counts the words of a column's name that the question has.
func (p *plan) parts(c *column) (n int) {
	for _, part := range c.parts {
		n += count(slices.ContainsFunc(p.items, func(i *item) bool { return i.low != "" && i.concept == part }))
	}
	return n
}

func (p *plan) near(c *column) int { return count(p.mentioned(c.of)) + count(c.of == p.main) }

func anyColumn(*column) bool   { return true }
func isNumeric(c *column) bool { return c.numeric && !c.id }
func isDate(c *column) bool    { return c.date }

// find returns the first item from n on for which a function is true, and its place. If the function is true for no
// item, the place is -1.
func (p *plan) find(n int, is func(*item) bool) (*item, int) {
	for ; n < len(p.items); n++ {
		if is(p.items[n]) {
			return p.items[n], n
		}
	}
	return &item{}, -1
}

// reads reports whether the statement reads a column that an item means.
func (p *plan) reads(i *item) bool {
	return slices.ContainsFunc(i.columns, func(c *column) bool {
		return c == p.target || c == p.order || c == p.group || slices.Contains(p.columns, c)
	})
}

// withRole returns a function that reports whether an item has a role.
func withRole(name string) func(*item) bool { return func(i *item) bool { return i.role == name } }

// sql writes the statement.
func (p *plan) sql() (string, bool) {
	if p.main == nil {
		return "", false
	}
	selected := "count(*)"
	switch {
	case p.target != nil && p.single:
		selected = "count(DISTINCT " + p.target.sql() + ")"
	case p.target != nil && p.shape != "":
		selected = p.shape + "(" + p.target.sql() + ")"
	case p.target != nil && p.group == nil:
		selected = p.target.sql()
	}
	measure, groups := selected, ""
	if p.group != nil {
		selected, groups = p.group.sql(), p.group.sql()
		if name := p.group.of.label(); p.group.id && name != nil {
			selected = name.sql()
			groups += ", " + selected // servers take no other column than those of the groups
		}
		p.tables = append(p.tables, p.group.of)
	}
	if p.order != nil {
		p.tables = append(p.tables, p.order.of)
		p.where = append(p.where, p.order.sql()+" IS NOT NULL")
	}
	if p.target != nil {
		p.tables = append(p.tables, p.target.of)
	}
	var out strings.Builder
	out.WriteString("SELECT " + selected + " FROM " + identifier(p.main.name))
	joined := []*table{p.main}
	for _, t := range p.tables {
		path := p.path(p.main, t)
		if t != p.main && path == nil {
			return "", false
		}
		for _, l := range path {
			if !slices.Contains(joined, l.to.of) {
				joined = append(joined, l.to.of)
				out.WriteString(" JOIN " + identifier(l.to.of.name) + " ON " + l.from.sql() + " = " + l.to.sql())
			}
		}
	}
	if len(p.where) > 0 {
		out.WriteString(" WHERE " + strings.Join(p.where, " AND "))
	}
	direction := ""
	if p.down {
		direction = " DESC"
	}
	switch {
	case p.group != nil:
		out.WriteString(" GROUP BY " + groups + " ORDER BY " + measure + direction + " LIMIT 1")
	case p.order != nil:
		out.WriteString(" ORDER BY " + p.order.sql() + direction + " LIMIT 1")
	}
	return out.String(), true
}
