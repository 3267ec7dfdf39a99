package naming

import (
	"cmp"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/internal/lazy"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/store"
)

// Titles returns the names of a run's configurations for people, in order. The names are unique. The
// configuration of a simple run has the user's name for the run, or the name of its agent. The rows of a
// matrix, whose names list every key and value, get shorter names.
func Titles(m store.Manifest) []string {
	if len(m.Configurations) == 1 {
		return []string{cmp.Or(m.Title, titleOf(m.Configurations[0]))}
	}
	out := make([]string, len(m.Configurations))
	for i, c := range m.Configurations {
		out[i] = c.Name
	}
	return shortened(out)
}

// NameOf returns the manifest's name of the configuration with this name or title; if there is no such
// configuration, it returns given.
func NameOf(m store.Manifest, given string) string {
	for i, title := range Titles(m) {
		if title == given && !slices.ContainsFunc(m.Configurations,
			func(c store.Configuration) bool { return c.Name == given }) {
			return m.Configurations[i].Name
		}
	}
	return given
}

// titleOf returns the name of a configuration. If it has no name, it returns the command or address of its
// agent, or the model.
func titleOf(c store.Configuration) string {
	if c.Name != config.DefaultName {
		return c.Name
	}
	if tool := c.Configuration.Agent.External.Imported; tool != "" && (c.Model == "" || c.Model == unknownModel) {
		return tool
	}
	return cmp.Or(Command(c), strings.TrimPrefix(c.Model, "unknown:"), c.Name)
}

// unknownModel is the model of an import whose file has no model.
const unknownModel = "unknown:model"

// Command returns the command or the address of an external agent; "" if the agent is concur's own.
func Command(c store.Configuration) string {
	e := c.Configuration.Agent.External
	return cmp.Or(strings.Join(e.Exec, " "), e.HTTP)
}

// cellKey matches the keys in the name of a cell, such as model=m,agent.protocol=text.
var cellKey = lazy.Compile(`(?:^|,)([a-z_]+(?:\.[a-z_]+)*)=`)

// matrixCell is the name of a configuration from a matrix, split into keys and values.
type matrixCell struct{ keys, values []string }

// readCell splits the name of a cell. For other names the result has no keys.
func readCell(name string) (c matrixCell) {
	at := cellKey.FindAllStringSubmatchIndex(name, -1)
	if len(at) == 0 || at[0][0] != 0 {
		return c
	}
	for i, m := range at {
		end := len(name)
		if i+1 < len(at) {
			end = at[i+1][0]
		}
		c.keys, c.values = append(c.keys, name[m[2]:m[3]]), append(c.values, name[m[1]:end])
	}
	return c
}

// shortened returns short names for the cells of a matrix: models and prompts without their keys, other keys without
// their sections. If the short names are not unique, it returns the names unchanged.
func shortened(names []string) []string {
	cells := make([]matrixCell, len(names))
	for i, name := range names {
		cells[i] = readCell(name)
	}
	out := slices.Clone(names)
	for i, c := range cells {
		for j, other := range cells { // a single such name may be written by the spec's author
			if i != j && len(c.keys) > 0 && slices.Equal(other.keys, c.keys) {
				out[i] = c.short()
			}
		}
	}
	seen := map[string]bool{}
	for _, title := range out {
		if seen[title] {
			return names
		}
		seen[title] = true
	}
	return out
}

func (c matrixCell) short() string {
	last := func(key string) string { return key[strings.LastIndexByte(key, '.')+1:] }
	var parts []string
	for i, key := range c.keys {
		shared := func(other string) bool { return other != key && last(other) == last(key) }
		switch {
		case key == "model" || key == "prompts": // their values have names of their own
			parts = append(parts, c.values[i])
		case slices.ContainsFunc(c.keys, shared):
			parts = append(parts, key+"="+c.values[i])
		default:
			parts = append(parts, last(key)+"="+c.values[i])
		}
	}
	return strings.Join(parts, ", ")
}
