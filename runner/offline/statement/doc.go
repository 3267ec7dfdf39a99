// Package statement writes a SELECT statement for a question in English, by fixed rules: the program reads the names
// of tables and columns and a few rows, and compares their words with those of the question. It knows no database.
//
// It has a closed list of shapes: the value of a column for a named row; names of rows under one or two conditions;
// counts, sums, averages, largest and smallest values; the row that is first by a column; the name with the most rows
// of another table; names without a row of another table; and joins along references. For other questions, and if
// words of the question are not explained, it writes nothing.
package statement
