// Package programfiles finds the programs that a configuration starts, agents and MCP servers, and the files that
// belong to them. The digests of an agent's files are in its hash, their texts are kept in the run folder, and a hub
// sends the files to its workers.
package programfiles
