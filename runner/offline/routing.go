package offline

import (
	"encoding/json"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/seed-5817661a/concur/runner/offline/protocol"
)

// Tables are tools that take one entry and return its value. The reader tries them in the order in which their
// descriptions fit the question, and uses the first value. Tables that fit equally well are tried in random
// order. If no table has a value, the reader searches once for other tools, if it has a tool for that. If advice
// names a sequence of tables for questions with similar words, the reader follows the advice.

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

// consult calls the next table, or answers with the value that a table returned. It returns false if there is
// no table, if the question names no entry, or if a tool is demanded.
func (d *lookupState) consult() (finding, bool) {
	left, amounts := d.conv.tables()
	entry := d.entry()
	value, tried := d.readTables()
	switch {
	case len(d.conv.offered) == 0 && value != "": // this is the last turn
		return finding{state: found, text: value}, true
	case entry == "" || d.conv.must != "" || len(left) == 0 && (tried[protocol.FinderTool] || !d.conv.mustFind()):
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
	left = slices.DeleteFunc(left, isTried)
	fits := make([]float64, len(left))
	if value == "" {
		fits = d.fits(left, entry)
		enough := slices.ContainsFunc(fits, func(fit float64) bool { return fit >= enoughFit })
		if !enough && !tried[protocol.FinderTool] && d.conv.can(protocol.FinderTool) {
			d.call(protocol.FinderTool, map[string]any{"query": d.q.text})
			return finding{state: pending}, true
		}
	}
	if len(left) == 0 {
		return finding{state: found, text: value}, true
	}
	return d.askTable(left[d.choose.pick(d.conv.round+len(tried), "table", fits)], entry), true
}

// enoughFit is the fit of a table, see fits, below which the reader first searches for other tools.
const enoughFit = 0.5

// fits returns how well the descriptions of tables fit the question, each from 0 to 1: the share of the
// question's concepts, without those of the entry, that name and description have. A concept weighs
// ln(1 + N/n) if n of N tables have it, and ln(1 + 2N) if no table has it.
func (d *lookupState) fits(tables []string, entry string) []float64 {
	has, in := make([][]string, len(tables)), map[string]int{}
	for i, name := range tables {
		text := strings.ReplaceAll(name, "_", " ") + ". " + d.conv.about[name]
		has[i] = d.library.abouts.Get(text, func() []string { return concepts(wordsOf(text)) })
		for _, c := range has[i] {
			in[c]++
		}
	}
	named := concepts(wordsOf(entry))
	out, all := make([]float64, len(tables)), 0.0
	for _, c := range concepts(d.q.words) {
		if slices.Contains(named, c) {
			continue
		}
		weight := math.Log(1 + float64(len(tables))/max(0.5, float64(in[c])))
		all += weight
		for i := range tables {
			if slices.Contains(has[i], c) {
				out[i] += weight
			}
		}
	}
	for i := range out {
		out[i] /= max(all, math.SmallestNonzeroFloat64)
	}
	return out
}

// mustFind reports whether the reader has no tool to look things up, but one that finds such tools.
func (c *conversation) mustFind() bool {
	search, _ := c.searcher()
	return c.can(protocol.FinderTool) && !c.can(search)
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

// readTables returns the last value that a table returned, and the tables that were called.
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

// minFit is the share of an advice's words that the question must contain, so that the reader follows the
// advice.
const minFit = 0.5

// advised returns the sequence of tables in the advice that fits the question best. The words before its colon
// are its condition. It returns nil if no advice fits.
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
