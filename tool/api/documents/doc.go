// Package documents makes documents from the replies of an HTTP API. The YAML file of the tool says which parts of a
// reply are rows; a row can become a document.
package documents
