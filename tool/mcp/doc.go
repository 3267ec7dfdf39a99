// Package mcp connects to servers of the Model Context Protocol, through a process's standard streams or
// streamable HTTP, and offers their tools to an agent. It also serves concur's tools to other programs.
//
// Texts of a server are not trusted: the registry closes its tools' schemas, its results pass the agent's
// screen, and the caller decides whether its descriptions may reach a model.
package mcp
