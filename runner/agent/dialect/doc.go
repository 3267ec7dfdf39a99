// Package dialect reads the text that language models write instead of native tool calls: a reply is a thought and
// either an action or a final message, in any of the dialects of wire-formats.md §12.4.
//
// It runs no tool and keeps no state. It may import runner/model and a library that repairs JSON.
package dialect
