package search

// SplitSentences is for the slow form of Snippet.
var SplitSentences = splitSentences
