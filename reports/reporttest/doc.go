// Package reporttest helps to test reports. It has texts that try to break out of a format, records, a writer that
// fails, a check of Markdown, and a reader of JUnit XML.
package reporttest
