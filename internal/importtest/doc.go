// Package importtest has tests that compare the documentation with the code: the imports of packages with the
// table of docs/architecture.md, references to pages with their headings, and the promises of docs/security.md
// with the tests that they name. It has no code except tests.
package importtest
