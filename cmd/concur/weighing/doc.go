// Package weighing has the command that measures with a scorer what calls of tools were worth: usefulness.
package weighing
