// Package jq compiles and runs jq expressions with bounds: an expression sees only the names that it is given, reads
// neither clock, environment nor files, stops with its context, and gives a limited number of values.
package jq
