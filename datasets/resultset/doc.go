// Package resultset reads result sets of SQL statements, and tables in messages, and compares them by value.
//
// Two tables are equal if they have the same number of columns and the same rows. Columns are compared by their
// positions, never by their names. The order of the rows counts only if the caller says so; a row that is there
// twice counts twice. NULL equals only NULL. Numbers are equal by value, whole numbers of any size exactly. Texts
// are compared character by character, and the text '1' is not the number 1. These are the rules of the execution
// accuracy of Spider and BIRD; docs/method.md §2.3 has the differences and the sources.
//
// A table in Markdown or CSV has no types: its cells are read as numbers and NULL by their form, and so are the
// cells of the table with which it is compared.
package resultset
