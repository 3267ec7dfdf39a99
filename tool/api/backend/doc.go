// Package backend makes a search backend of a tool with documents, so that the tool can be one of the sources of
// web_search. The tool needs an argument query; an argument limit, if it has one, gets the number of documents.
package backend
