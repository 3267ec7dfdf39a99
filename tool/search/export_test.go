package search

// SplitSentences is used by the slow form of Snippet.
var SplitSentences = splitSentences
