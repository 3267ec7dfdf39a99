package ablations

import (
	"fmt"
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
	rules []rule
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

// rule holds the index of a value, or anyValue, for each axis. A cell that matches on every
// axis is excluded.
type rule []int

const anyValue = -1

// maxCells bounds the cells before exclusion, and maxRules the rules.
const (
	maxCells = 10_000
	maxRules = 1_000
)

// cells gives at most that many rows of the matrix; the last axis varies fastest.
func (m matrix) cells(most int) []variant {
	if len(m.axes) == 0 {
		return nil
	}
	var out []variant
	cell := make([]int, len(m.axes))
	for len(out) < most {
		if !slices.ContainsFunc(m.rules, func(r rule) bool { return r.excludes(cell) }) {
			out = append(out, m.variant(cell))
		}
		if !m.next(cell) {
			break
		}
	}
	return out
}

// next advances to the next cell; false after the last.
func (m matrix) next(cell []int) bool {
	for i := range slices.Backward(cell) {
		if cell[i]++; cell[i] < len(m.axes[i].values) {
			return true
		}
		cell[i] = 0
	}
	return false
}

func (r rule) excludes(cell []int) bool {
	for i, v := range r {
		if v != anyValue && v != cell[i] {
			return false
		}
	}
	return true
}

func (m matrix) variant(cell []int) variant {
	set := &yaml.Node{Kind: yaml.MappingNode, Line: m.at.Line, Column: m.at.Column}
	var name []string
	for i, v := range cell {
		a := m.axes[i]
		set.Content = append(set.Content, a.key, a.values[v].node)
		name = append(name, a.key.Value+"="+a.values[v].text)
	}
	return variant{name: strings.Join(name, ","), set: set, at: m.at}
}

// size is the number of cells before exclusion, capped at maxCells + 1.
func (m matrix) size() int {
	n := 1
	for _, a := range m.axes {
		if n *= len(a.values); n > maxCells {
			return maxCells + 1
		}
	}
	return n
}

// longest is the length of the longest name that a cell can have, in characters.
func (m matrix) longest() int {
	n := len(m.axes) - 1
	for _, a := range m.axes {
		widest := 0
		for _, v := range a.values {
			widest = max(widest, utf8.RuneCountInString(v.text))
		}
		n += utf8.RuneCountInString(a.key.Value) + len("=") + widest
	}
	return n
}

func (a axis) index(id string) int {
	return slices.IndexFunc(a.values, func(v value) bool { return v.id == id })
}

func (a axis) String() string {
	var texts []string
	for _, v := range a.values {
		texts = append(texts, v.text)
	}
	return fmt.Sprintf("%s: %s", a.key.Value, some(texts, maxNames))
}
