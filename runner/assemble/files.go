package assemble

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/assemble/kinds"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/memory"
	"github.com/seed-5817661a/concur/runner/playbook"
	"github.com/seed-5817661a/concur/tool/search"
)

// checkFiles checks the files that a run of the draft would read at its start: corpora, folders of tools,
// memories, playbooks and calibrations. For a corpus it checks only that it exists, because reading one takes
// long.
func (a *Assembler) checkFiles(d runner.Draft) error {
	var wrong []error
	seen := map[string]bool{}
	once := func(path string, check func(string) error) {
		if path != "" && !seen[path] {
			seen[path] = true
			wrong = append(wrong, check(path))
		}
	}
	for _, requested := range d.Manifest.Configurations {
		c := requested.Configuration.Effective()
		if a.searchesCorpus(c) {
			once(c.Search.Corpus, datasets.CheckCorpus)
		}
		for _, name := range slices.Sorted(maps.Keys(c.Tools)) {
			t := c.Tools[name]
			kind, _ := kinds.Of(name, t, nil) // the configuration's check has reported errors
			for _, key := range kind.Paths {
				path, _ := t.Settings[key].(string)
				once(path, func(path string) error {
					if _, unknown := datasets.OpenDatabase(path); unknown == nil || datasets.IsBuiltinCorpus(path) {
						return nil
					}
					if _, err := os.Stat(path); err != nil {
						return fmt.Errorf("tools.%s: %s: %w: name a file or folder that exists", name, key, err)
					}
					return nil
				})
			}
		}
		if !c.Memory.Mode.IsZero() {
			if err := needsMemory(c); err != nil {
				wrong = append(wrong, err)
			}
			once(c.Memory.File, func(path string) error {
				_, err := memory.Open(path)
				return err
			})
		}
		if used := c.Agent.Playbook.Used(); used && len(d.Manifest.Agents) == 0 { // a resumed run has a copy of the playbook
			once(c.Agent.Playbook.File, func(path string) error {
				data, err := readPlaybook(path, path, os.ReadFile)
				if err == nil {
					_, err = playbook.Parse(path, data)
				}
				return err
			})
		}
		if c.Judge.Correctness != "" {
			once(c.Judge.Calibration, func(path string) error {
				_, err := judge.LoadCalibration(path)
				return err
			})
		}
	}
	return errors.Join(wrong...)
}

// searchesCorpus reports whether a tool of the agent, or of a sub-agent, searches the corpus.
func (a *Assembler) searchesCorpus(c config.Configuration) bool {
	tools := slices.Clone(c.Agent.Tools)
	for _, sub := range c.Agents {
		tools = append(tools, sub.Tools...)
	}
	if slices.Contains(tools, search.Name) && slices.Contains(c.Search.Cascade, config.BackendCorpus) {
		return true
	}
	return slices.ContainsFunc(a.tools, func(k toolKind) bool {
		return k.backend == config.BackendCorpus && slices.Contains(tools, k.name)
	})
}
