package assemble

import (
	"path"
	"slices"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/tool/calc"
	"github.com/seed-5817661a/concur/tool/search"
	"github.com/seed-5817661a/concur/tool/sql"
)

// folderTool is the tool that searches the folder of a built-in dataset.
const folderTool = "kb_search"

// DefaultsFor returns the default configuration for a dataset. If a built-in dataset has data of its own, tools that
// read the data replace the default tools that do not help: for a folder, a tool that searches it replaces
// web_search; for databases, tools that read them and describe their tables replace web_search and the planner.
func DefaultsFor(source string) config.Configuration {
	c := config.New()
	if folder := datasets.FolderOf(source); folder != "" {
		c.Tools = map[string]config.DeclaredTool{folderTool: {Settings: map[string]any{"folder": folder,
			"about": "Search the documents that the questions are about."}}}
		c.Agent.Tools = slices.Clone(c.Agent.Tools)
		c.Agent.Tools[slices.Index(c.Agent.Tools, search.Name)] = folderTool
	}
	if databases := datasets.DatabasesOf(source); len(databases) > 0 {
		c.Tools, c.Agent.Tools = map[string]config.DeclaredTool{}, nil
		for _, database := range databases {
			name := path.Base(database)
			c.Tools[name] = config.DeclaredTool{Settings: map[string]any{"database": database,
				"about": "Read the database of the " + name + " with SQL."}}
			c.Agent.Tools = append(c.Agent.Tools, name, name+sql.SchemaSuffix)
		}
		c.Agent.Tools = append(c.Agent.Tools, calc.Name)
	}
	return c
}
