// Package importtest holds the test that keeps the packages' imports within the table of
// docs/architecture.md. It has no code of its own.
package importtest
