// Package dialect reads what language models write instead of native tool calls: one reply
// is a thought and either an action or a final message, in any of the dialects of
// wire-formats.md §12.4.
//
// It owns the forms and nothing else: it runs no tool and keeps no state. It may import
// runner/model and a library that mends JSON.
package dialect
