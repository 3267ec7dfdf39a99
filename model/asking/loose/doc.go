// Package loose reads JSON objects as language models write them: with the literals and quotes of Python, with names
// without quotes, commas too many, comments, and tokens of a chat template around the object. It imports nothing of
// ours.
package loose
