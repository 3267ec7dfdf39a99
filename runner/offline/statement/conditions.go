package statement

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kljensen/snowball/english"

	"github.com/seed-5817661a/concur/internal/value"
)

// conditions reads the conditions on rows. It returns false if one of them has no column.
func (p *plan) conditions() bool {
	for n, i := range p.items {
		ok := true
		switch {
		case i.used:
		case i.value != nil:
			ok = p.ofValue(n)
		case i.role == "none":
			ok = p.none(n)
		case i.phrase != "":
			ok = p.equal(n, p.columnsFor(n))
		case len(i.columns) > 0 && p.flag(i):
		case i.loose() && p.isValue(n):
			ok = p.equal(n, p.columnsFor(n))
		}
		if !ok {
			return false
		}
	}
	return true
}

// add adds a condition on a column.
func (p *plan) add(c *column, condition string, used ...*item) bool {
	p.where = append(p.where, condition)
	p.columns, p.tables = append(p.columns, c), append(p.tables, c.of)
	for _, i := range used {
		i.used = true
	}
	return true
}

// flag reads a word that names a column of yes and no.
func (p *plan) flag(i *item) bool {
	c := p.choose(i, func(c *column) bool { return c.flag && c != p.target })
	return c != nil && p.add(c, c.sql()+" = 'yes'", i)
}

// isValue reports whether word n is a value, such as a kind: a word that describes a table or a column, that follows
// a column of texts, or that follows a form of "be".
func (p *plan) isValue(n int) bool {
	after, before := p.at(n+1), p.at(n-1)
	if before.low == "still" {
		before = p.at(n - 2)
	}
	be := slices.Contains([]string{"are", "is", "was", "were"}, before.low)
	return after.table != nil || len(before.columns) > 0 && !before.used || be && n == len(p.items)-1
}

// columnsFor returns the columns of texts in which the name or word n can be.
func (p *plan) columnsFor(n int) []*column {
	for _, m := range []int{n - 1, n + 1} {
		i := p.at(m)
		if c := p.choose(i, func(c *column) bool { return isText(c) && c != p.target }); c != nil && i.table == nil {
			i.used = true
			return []*column{c}
		}
		if i.table != nil {
			i.used = true
			return columnsOf([]*table{i.table}, isText)
		}
	}
	tables := []*table{p.main}
	for _, i := range p.items {
		if i.table != nil && !slices.Contains(tables, i.table) && p.path(p.main, i.table) != nil {
			tables = append(tables, i.table)
		}
	}
	found := columnsOf(tables, isText)
	return slices.DeleteFunc(found, func(c *column) bool { return c == p.target && p.shape == "" && c.of.label() != c })
}

func isText(c *column) bool { return !c.numeric && !c.id && !c.date && !c.flag }

func columnsOf(tables []*table, fits func(*column) bool) (out []*column) {
	for _, t := range tables {
		for _, c := range t.columns {
			if fits(c) {
				out = append(out, c)
			}
		}
	}
	return out
}

// equal adds the condition that one of the columns has the name or word n.
func (p *plan) equal(n int, columns []*column) bool {
	i, next := p.items[n], p.at(n+1)
	forms := []string{strings.ToLower(i.phrase)}
	switch {
	case i.phrase == "":
		forms = []string{i.low}
	case next.loose():
		forms = append(forms, forms[0]+" "+next.low)
		next.used = true
	}
	one := strings.TrimSuffix(forms[0], "s")
	if one != forms[0] && english.Stem(one, true) == english.Stem(forms[0], true) {
		forms = append(forms, one)
	}
	for f := range forms {
		forms[f] = quoted(forms[f])
	}
	var either []string
	for _, c := range columns {
		either = append(either, fmt.Sprintf("lower(%s) IN (%s)", c.sql(), strings.Join(forms, ", ")))
		p.tables = append(p.tables, c.of)
	}
	if len(either) == 0 {
		return false
	}
	condition := strings.Join(either, " OR ")
	if len(either) > 1 {
		condition = "(" + condition + ")"
	}
	return p.add(columns[0], condition, i)
}

// none reads a negation: of a table, of a column of yes and no, or of a column.
func (p *plan) none(n int) bool {
	i := p.items[n]
	for _, m := range []int{n + 1, n + 2, n - 1, n - 2} {
		of := p.at(m)
		if of.table != nil && of.table != p.main && m > n {
			return p.without(of.table, i, of)
		}
		if c := p.choose(of, func(c *column) bool { return c.flag && c != p.target }); c != nil {
			return p.add(c, c.sql()+" = 'no'", i, of)
		}
		c := p.choose(of, func(c *column) bool { return !c.id && c != p.target && c.of == p.main })
		if c != nil && of.table == nil && p.at(m+1).value == nil {
			return p.add(c, c.sql()+" IS NULL", i, of)
		}
	}
	return false
}

// without adds the condition that no row of another table refers to the row.
func (p *plan) without(t *table, used ...*item) bool {
	for _, l := range p.links {
		if l.from.of == t && l.to.of == p.main {
			return p.add(l.to, fmt.Sprintf("%s NOT IN (SELECT %s FROM %s WHERE %[2]s IS NOT NULL)", l.to.sql(),
				l.from.sql(), identifier(t.name)), used...)
		}
	}
	return false
}

var relations = map[value.Relation]string{value.Equal: "=", value.Less: "<", value.AtMost: "<=", value.More: ">",
	value.AtLeast: ">="}

// ofValue reads a number or a date.
func (p *plan) ofValue(n int) bool {
	i, before := p.items[n], p.at(n-1)
	relation, known := relations[i.value.Relation]
	if !known {
		return false
	}
	if before.role == "after" || before.role == "before" {
		relation = map[string]string{"after": ">", "before": "<"}[before.role]
		before.used = true
	}
	if i.value.Kind == value.Date {
		return p.ofDate(n, relation)
	}
	number := i.value.Low.Rat.FloatString(max(0, -i.value.Low.Place))
	if before.table != nil && relation == "=" {
		if key := before.table.columns[0]; key.id {
			return p.add(key, key.sql()+" = "+number, i, before)
		}
	}
	year := func(c *column) bool { return c.numeric && c.date }
	for _, m := range []int{n + 1, n - 1, n - 2, n - 3, n - 4} {
		if c := p.choose(p.at(m), isNumeric); c != nil && (c != p.target || relation != "=") {
			return p.add(c, c.sql()+" "+relation+" "+number, i, p.at(m))
		}
	}
	for _, c := range p.main.columns { // the year of the only column of years
		if year(c) && i.value.Low.Place == 0 && len(number) == 4 {
			return p.add(c, c.sql()+" "+relation+" "+number, i)
		}
	}
	return false
}

// ofDate reads a date: a column that the question names, or the first column of dates.
func (p *plan) ofDate(n int, relation string) bool {
	i := p.items[n]
	fits := func(c *column) bool { return c.date && !c.numeric && c != p.target }
	var found *column
	for _, other := range p.items {
		if c := p.choose(other, fits); c != nil && c.of == p.main {
			found, other.used = c, true
			break
		}
	}
	for _, c := range p.main.columns {
		if found == nil && fits(c) {
			found = c
		}
	}
	if date := i.value.Date; found == nil || date.NoYear || relation != "=" && date.Day == 0 {
		return false
	}
	day := i.value.Date.String()
	if relation == "=" {
		return p.add(found, found.sql()+" LIKE "+quoted(day+"%"), i)
	}
	return p.add(found, found.sql()+" "+relation+" "+quoted(day), i)
}
