package offline

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// Tables are tools that take one entry and return its value. The reader cannot know which table is right for
// a question, so it tries them in random order and uses the first value. If advice names a sequence of tables
// for questions with similar words, the reader follows the advice.

// tables returns the offered table tools; amounts are the table tools for amounts.
func (c *conversation) tables() (all, amounts []string) {
	for _, name := range slices.Sorted(maps.Keys(c.offered)) {
		if !slices.Equal(c.offered[name].Required, []string{"entry"}) {
			continue
		}
		if strings.Contains(c.about[name], "amount") {
			amounts = append(amounts, name)
		} else {
			all = append(all, name)
		}
	}
	return all, amounts
}

// consult calls the next table, or answers with a table's value. It returns false if there is no table, if
// the question names no entry, or if a tool is demanded.
func (d *lookupState) consult() (finding, bool) {
	left, amounts := d.conv.tables()
	entry := d.entry()
	value, tried := d.readTables()
	switch {
	case len(d.conv.offered) == 0 && value != "": // this is the last turn
		return finding{state: found, text: value}, true
	case len(left) == 0 || entry == "" || d.conv.must != "":
		return finding{}, false
	}
	if way := d.advised(slices.Concat(left, amounts)); len(way) > 0 {
		for _, name := range way {
			o, asked := d.conv.find(name, "entry", entry)
			if !asked {
				return d.askTable(name, entry), true
			}
			if entry, asked = o.entryValue(); !asked {
				return finding{}, true // the advice does not apply here
			}
		}
		return finding{state: found, text: entry}, true
	}
	isTried := func(name string) bool { return tried[name] }
	if value != "" {
		entry, left = value, nil
		if !slices.ContainsFunc(amounts, isTried) &&
			d.choose.pick(d.conv.round, "another table", make([]float64, 2)) == 1 {
			left = amounts
		}
	}
	if left = slices.DeleteFunc(left, isTried); len(left) == 0 {
		return finding{state: found, text: value}, true
	}
	return d.askTable(left[d.choose.pick(d.conv.round+len(tried), "table", make([]float64, len(left)))], entry), true
}

func (d *lookupState) askTable(name, entry string) finding {
	if !d.conv.can(name) {
		return finding{state: absent}
	}
	d.call(name, map[string]any{"entry": entry})
	return finding{state: pending}
}

// entry returns the longest name of the question.
func (d *lookupState) entry() string {
	out := ""
	for _, n := range d.q.names {
		if s := n.of(d.q.text, d.q.words); len(s) > len(out) {
			out = s
		}
	}
	return out
}

// readTables returns the last value from a table, and the tables that were called.
func (d *lookupState) readTables() (value string, tried map[string]bool) {
	tried = map[string]bool{}
	for _, o := range d.conv.seen {
		if v, ok := o.entryValue(); ok {
			value = v
		}
		tried[o.tool] = true
	}
	return value, tried
}

// entryValue returns the value in a table's result.
func (o observation) entryValue() (string, bool) {
	var row struct{ Entry, Value string }
	if o.failed || json.Unmarshal([]byte(o.text), &row) != nil || row.Entry == "" || row.Value == "" {
		return "", false
	}
	return row.Value, true
}

var advice = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?m)^\[[a-z]{3}-[0-9]{5,}\] ([^:\n]+):.* \(tools: ([^)\n]+)\)$`)
})

// minFit is the share of an advice's words that the question must contain.
const minFit = 0.5

// advised returns the shown sequence of tables whose condition, the words before its colon, fits the question
// best; nil if none fits.
func (d *lookupState) advised(offered []string) (best []string) {
	most := 0.0
	for _, m := range advice().FindAllStringSubmatch(d.conv.advice, -1) {
		condition := m[1]
		if _, listed, found := strings.Cut(condition, " with the words "); found {
			condition = listed
		}
		way := strings.Split(m[2], " → ")
		if slices.ContainsFunc(way, func(name string) bool { return !slices.Contains(offered, name) }) {
			continue
		}
		if said := share(condition, d.q.text); said >= minFit && said > most {
			best, most = way, said
		}
	}
	return best
}
