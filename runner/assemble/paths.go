package assemble

import (
	"maps"
	"slices"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/runner/assemble/kinds"
	"github.com/seed-5817661a/concur/runner/config"
)

// ReplacePaths calls replace with each path of a file or folder that the agents of a configuration read, and puts the
// result in its place. It leaves out what is built in, and paths that have no effect.
func (a *Assembler) ReplacePaths(c *config.Configuration, replace func(path string) (string, error)) error {
	used := c.Effective()
	if path := c.Search.Corpus; a.searchesCorpus(used) && !datasets.IsBuiltinCorpus(path) {
		if err := replaceText(&c.Search.Corpus, replace); err != nil {
			return err
		}
	}
	if path := c.Memory.File; !used.Memory.Mode.IsZero() && !datasets.IsBuiltinMemory(path) {
		if err := replaceText(&c.Memory.File, replace); err != nil {
			return err
		}
	}
	if used.Agent.Playbook.Used() {
		if err := replaceText(&c.Agent.Playbook.File, replace); err != nil {
			return err
		}
	}
	tools := maps.Clone(c.Tools)
	for _, name := range slices.Sorted(maps.Keys(used.Tools)) {
		t, err := kinds.ReplacePaths(name, tools[name], replace)
		if err != nil {
			return err
		}
		tools[name] = t
	}
	c.Tools = tools
	return nil
}

func replaceText(path *string, replace func(string) (string, error)) (err error) {
	if *path != "" {
		*path, err = replace(*path)
	}
	return err
}
