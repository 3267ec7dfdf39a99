// Package dialect parses tool calls that language models write as text instead of native tool calls. A reply is
// a thought, followed by an action or a final message, in one of the dialects of docs/agent.md#dialects.
//
// The package runs no tools and keeps no state.
package dialect
