// Package importtest holds the tests that compare pages with the code: the packages' imports with the table of
// docs/architecture.md, references to pages with their headings, and the promises of docs/security.md with the tests
// that they name. It has no code of its own.
package importtest
