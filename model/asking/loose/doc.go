// Package loose reads JSON objects as language models write them: with Python's literals and quotes, unquoted
// names, superfluous commas, comments, and tokens of a chat template around the object. It imports no other
// package of this module.
package loose
