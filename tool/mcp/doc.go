// Package mcp connects to servers of the Model Context Protocol, through a process's standard streams or
// streamable HTTP, and offers their tools to an agent. It also serves concur's tools to other programs.
//
// Texts of a server are not trusted. The registry forbids unknown arguments in its tools' schemas, the agent
// scans and cleans its results, and the caller decides whether a model may get its descriptions.
package mcp
