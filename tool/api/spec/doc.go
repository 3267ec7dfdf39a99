// Package spec reads the file of a tool: a YAML file that says how an HTTP API is asked and how its replies are read.
// Read reports all mistakes of a file at once, with line and key, and compiles the expressions.
// docs/tool-files.md explains every key.
package spec
