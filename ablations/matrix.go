package ablations

import (
	"slices"
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3"

	"github.com/seed-5817661a/concur/internal/strictyaml"
)

// matrix is every combination of values of some keys, without the excluded ones.
type matrix struct {
	at    strictyaml.Pos
	axes  []axis // in the order of the file
	rules []exclusion
}

type axis struct {
	key    *yaml.Node
	values []value
}

type value struct {
	node *yaml.Node
	text string // as shown in a cell's name
	id   string // equal for all spellings of one number
}

// exclusion leaves out the cells that have all of its values, which are ids by key.
type exclusion map[string]string

// maxCells bounds the cells before exclusion.
const maxCells = 10_000

// cells gives at most that many rows of the matrix; the last axis varies fastest.
func (m matrix) cells(most int) (out []entry) {
	if len(m.axes) == 0 {
		return nil
	}
	cell := make([]value, len(m.axes))
	var fill func(i int)
	fill = func(i int) {
		switch {
		case len(out) == most:
		case i < len(m.axes):
			for _, v := range m.axes[i].values {
				cell[i] = v
				fill(i + 1)
			}
		case !slices.ContainsFunc(m.rules, func(x exclusion) bool { return m.excludes(x, cell) }):
			out = append(out, m.entry(cell))
		}
	}
	fill(0)
	return out
}

func (m matrix) excludes(x exclusion, cell []value) bool {
	for i, a := range m.axes {
		if id, named := x[a.key.Value]; named && id != cell[i].id {
			return false
		}
	}
	return true
}

func (m matrix) entry(cell []value) entry {
	set := &yaml.Node{Kind: yaml.MappingNode, Line: m.at.Line, Column: m.at.Column}
	var name []string
	for i, v := range cell {
		key := m.axes[i].key
		set.Content = append(set.Content, key, v.node)
		name = append(name, key.Value+"="+v.text)
	}
	return entry{Name: strings.Join(name, ","), Set: settings{set}, Pos: m.at}
}

// bounds are the number of cells before exclusion, up to maxCells + 1, and the length of the
// longest name that a cell can have, in characters.
func (m matrix) bounds() (cells, longest int) {
	cells, longest = 1, len(m.axes)-1
	for _, a := range m.axes {
		cells = min(cells*len(a.values), maxCells+1)
		widest := 0
		for _, v := range a.values {
			widest = max(widest, utf8.RuneCountInString(a.key.Value+"="+v.text))
		}
		longest += widest
	}
	return cells, longest
}
