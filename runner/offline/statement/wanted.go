package statement

import (
	"slices"
	"strings"
)

// wanted finds what the question asks for. It returns false if it has no known shape, or if no column has it.
func (p *plan) wanted() bool {
	first, n := p.find(0, func(i *item) bool {
		return slices.Contains([]string{"how", "which", "what", "when", "is", "are", "was", "were"}, i.low)
	})
	if n < 0 {
		return false
	}
	first.used = true
	switch next := p.at(n + 1); {
	case first.low == "how" && next.low == "many":
		next.used = true
		return p.howMany(n + 2)
	case first.low == "how" || first.low == "when":
		return p.ofColumn(n+1, first.low == "when")
	case first.low == "which" || first.low == "what":
		return p.which(n + 1)
	}
	head, _ := p.find(n+1, func(i *item) bool { return p.choose(i, func(c *column) bool { return c.flag }) != nil })
	return p.selects(p.choose(head, func(c *column) bool { return c.flag }), head)
}

// selects makes a column the target.
func (p *plan) selects(c *column, i *item) bool {
	if c == nil {
		return false
	}
	i.used = true
	p.target, p.main = c, c.of
	return true
}

// head returns the noun after a question word: a table or a column. One word between them describes rows of the
// table. Before a column or a named row ("which mechanic repaired car 3"), another word is the noun.
func (p *plan) head(n int) (*item, int) {
	others := 0
	for ; n < len(p.items); n++ {
		switch i := p.items[n]; {
		case i.linked() && !p.describes(n):
			if next := p.at(n + 1); others > 1 || others == 1 && (i.table == nil || next.value != nil || next.phrase != "") {
				return nil, 0
			}
			return i, n
		case i.role == "stop" && others > 0:
			return nil, 0
		case i.role == "stop" || i.role == "aggregate" || i.role == "distinct" || i.role == "order" || i.role == "most":
		case i.used: // the name of the database
		default:
			others++
		}
	}
	return nil, 0
}

// describes reports whether item n describes the noun after it: a column of yes and no before a table.
func (p *plan) describes(n int) bool {
	flag := func(c *column) bool { return c.flag }
	return p.choose(p.items[n], flag) != nil && p.at(n+1).table != nil
}

// howMany reads "how many" with the noun after it: rows of a table, different values, or the value of a column.
func (p *plan) howMany(n int) bool {
	head, at := p.head(n)
	if head == nil {
		return false
	}
	head.used = true
	if i, m := p.find(n, withRole("distinct")); m >= 0 && m < at {
		i.used = true
		p.single, p.counts = true, true
		if head.table != nil {
			return false
		}
		return p.selects(p.choose(head, anyColumn), head)
	}
	if head.table != nil {
		p.main, p.counts = head.table, true
		return true
	}
	if !p.selects(p.choose(head, isNumeric), head) {
		return false
	}
	if aggregate, m := p.find(0, withRole("aggregate")); m >= 0 {
		p.shape, aggregate.used = aggregate.more, true
		return true
	}
	if !p.named() {
		p.shape, p.counts = "sum", true
	}
	return true
}

// named reports whether the question names one row of the main table: by a name or a number beside the table's name,
// or by a name without a table.
func (p *plan) named() bool {
	for n, i := range p.items {
		if i.phrase == "" && (i.value == nil || i.value.Relation != "" || p.at(n-1).table != p.main) {
			continue
		}
		of := p.tableBeside(n)
		if of == p.main || of == nil && !p.columnBefore(n) {
			return true
		}
	}
	return false
}

// tableBeside returns the table whose name is next to item n, or nil.
func (p *plan) tableBeside(n int) *table {
	for _, m := range []int{n - 1, n + 1} {
		if t := p.at(m).table; t != nil {
			return t
		}
	}
	return nil
}

func (p *plan) columnBefore(n int) bool { return len(p.at(n-1).columns) > 0 }

// ofColumn reads a question whose verb or adjective names the column: "how long is", "when was", "how was it paid".
func (p *plan) ofColumn(n int, date bool) bool {
	fits := func(c *column) bool { return !c.id && (!date || c.date) }
	head, _ := p.find(n, func(i *item) bool { return i.table == nil && p.choose(i, fits) != nil })
	return p.selects(p.choose(head, fits), head)
}

// which reads "which" or "what" with the noun after it.
func (p *plan) which(n int) bool {
	if period := p.at(n); slices.Contains([]string{"year", "date", "day"}, period.low) {
		period.used = true
		return p.ofColumn(n+1, true)
	}
	head, at := p.head(n)
	if head == nil {
		return p.kind(n)
	}
	head.used = true
	if aggregate, m := p.find(n, withRole("aggregate")); m >= 0 && m < at {
		aggregate.used = true
		p.shape = aggregate.more
		p.counts = p.shape == "sum"
		return p.selects(p.choose(head, isNumeric), head)
	}
	if head.table != nil {
		p.main, p.target = head.table, head.table.label()
		if p.target == nil {
			return false
		}
	} else if !p.selects(p.choose(head, func(c *column) bool { return !c.id && c.called(head) }), head) {
		return false
	}
	if p.at(n).low != "is" || strings.HasSuffix(head.low, "s") {
		p.many = head.table != nil
	}
	return p.first(n, head, at)
}

// called reports whether a noun is a word of the column's name, or of its family. The publisher is not what a column
// "published" has, though the stems are equal.
func (c *column) called(noun *item) bool {
	return noun.role == "family" || slices.ContainsFunc(c.words, func(w string) bool {
		return noun.low == w || noun.low == w+"s" || noun.low+"s" == w || noun.low == strings.TrimSuffix(w, "y")+"ies"
	})
}

// first reads the words that choose the first row of an order, or the name with the most rows.
func (p *plan) first(n int, head *item, at int) bool {
	for m := n; m < len(p.items); m++ {
		switch i := p.items[m]; i.role {
		case "order":
			kind, direction, _ := strings.Cut(i.more, " ")
			i.used, p.at(m-1).used = true, p.at(m-1).used || p.at(m-1).role == "most"
			p.order, p.down, p.many = p.orderColumn(kind), direction == "desc", false
			return p.order != nil
		case "most", "fewest":
			if p.at(m+1).role == "order" {
				continue
			}
			of := p.at(m + 1)
			i.used, of.used = true, true
			p.down, p.many = i.role == "most", false
			return p.most(head, of)
		}
	}
	return true
}

// kind reads "the most expensive KIND": no table has the name KIND, but only one column orders rows in this way.
func (p *plan) kind(n int) bool {
	order, at := p.find(n, withRole("order"))
	kind, _, _ := strings.Cut(order.more, " ")
	fits := func(c *column) bool { return at >= 0 && slices.Contains(c.parts, kind) }
	found := columnsOf(p.schema.tables, fits)
	if of := p.at(at + 1); len(found) != 1 || !of.loose() {
		return false
	}
	p.main, p.target = found[0].of, found[0].of.label()
	return p.target != nil && p.equal(at+1, columnsOf([]*table{p.main}, isText)) && p.first(n, &item{}, at)
}

// orderColumn returns the column of a kind by which rows are ordered: one that the question names, or the only one.
func (p *plan) orderColumn(kind string) *column {
	fits := func(c *column) bool { return slices.Contains(c.parts, kind) }
	if kind == "date" {
		fits = isDate
	}
	for _, i := range p.items {
		if c := p.choose(i, fits); c != nil && !i.used && c.of == p.main {
			i.used = true
			return c
		}
	}
	var found *column
	for _, c := range p.main.columns {
		if fits(c) {
			if found != nil {
				return nil
			}
			found = c
		}
	}
	return found
}

// most reads "which HEAD has the most OF".
func (p *plan) most(head, of *item) bool {
	by := p.target
	if head.table != nil {
		by = head.table.columns[0]
	}
	switch c := p.choose(of, isNumeric); {
	case of.table != nil && of.table != head.table:
		p.main, p.target, p.group = of.table, nil, by
	case c != nil && c.of == p.main && head.table != nil:
		p.order = c
	case c != nil:
		p.main, p.target, p.shape, p.group = c.of, c, "sum", by
	default:
		return false
	}
	return true
}
