// Package dialect parses the text that language models write in place of native tool calls. A reply is a
// thought and either an action or a final message, in one of the dialects of docs/agent.md#dialects.
//
// The package runs no tools and keeps no state.
package dialect
