// Package documents makes the documents of a tool from the rows that its file finds in replies.
package documents
