// Package statement reads the text of an SQL statement as far as a gold needs it: whether the order of its rows
// counts, and whether it returns the same rows tomorrow. It splits the text into words and marks and knows strings,
// quoted names, comments and parentheses; it does not parse SQL. Whether a statement may run is decided by the
// database alone (package tool/sql), never by these words.
package statement
