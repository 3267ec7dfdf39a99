package kinds

import (
	"path"
	"slices"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/tool/calc"
	"github.com/seed-5817661a/concur/tool/code"
	"github.com/seed-5817661a/concur/tool/kb"
	"github.com/seed-5817661a/concur/tool/search"
	"github.com/seed-5817661a/concur/tool/sql"
)

// Names of the tools for built-in datasets: the tool that searches a folder, and the tool that runs programs.
const (
	folderTool  = "kb_search"
	programTool = "code"
)

// DefaultsFor returns the default configuration for a dataset. If a built-in dataset needs tools of its own, they
// replace the default tools that do not help: for a folder, a tool that searches it replaces web_search; for
// databases and programs, tools for them replace web_search and the planner.
func DefaultsFor(source string) config.Configuration {
	c := config.New()
	if folder := datasets.FolderOf(source); folder != "" {
		c.Tools = map[string]config.DeclaredTool{folderTool: {Settings: map[string]any{kb.Kind.Key: folder,
			"about": "Search the documents that the questions are about."}}}
		c.Agent.Tools = slices.Clone(c.Agent.Tools)
		c.Agent.Tools[slices.Index(c.Agent.Tools, search.Name)] = folderTool
		return c
	}
	var names []string
	declared := map[string]config.DeclaredTool{}
	for _, database := range datasets.DatabasesOf(source) {
		name := path.Base(database)
		declared[name] = config.DeclaredTool{Settings: map[string]any{sql.Kind.Key: database,
			"about": "Read the database of the " + name + " with SQL."}}
		names = append(names, name, name+sql.SchemaSuffix)
	}
	if datasets.NeedsPrograms(source) {
		declared[programTool] = config.DeclaredTool{Settings: map[string]any{code.Kind.Key: []any{"javascript"}}}
		names = append(names, programTool)
	}
	if len(names) > 0 {
		c.Tools, c.Agent.Tools = declared, append(names, calc.Name)
	}
	return c
}
