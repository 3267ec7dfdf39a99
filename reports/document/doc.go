// Package document holds the content of a report and writes it for a terminal, as Markdown and as CSV. Each
// text in a document has a source, so that text of a model or of another program cannot control a terminal, a
// page or a CI system.
package document
