// Package mcp connects to servers of the Model Context Protocol, over the standard streams of a process or over
// streamable HTTP, and makes their tools tools of an agent. It also serves tools of concur to other programs.
//
// What a server says is somebody else's text: its tools' schemas are closed by the registry, its results pass the
// screen of the agent, and of the descriptions the caller decides whether they may reach a model.
package mcp
