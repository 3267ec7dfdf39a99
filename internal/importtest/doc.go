// Package importtest has tests that find contradictions between code and documentation: an import that the table of
// docs/architecture.md does not allow, a reference to a page or a heading that does not exist, and a promise of
// docs/security.md whose test does not exist. Another test checks that environment, arguments and exit of the process
// are used only in a few files. The package has no code except tests.
package importtest
