// Package dialect parses the text that language models write in place of native tool calls: a reply is a
// thought and either an action or a final message, in any of the dialects of docs/agent.md#dialects.
//
// It runs no tools and keeps no state.
package dialect
