// Package prefilter runs a regular expression only on texts that have the literals (fixed texts) which every match
// has. Most texts have none of them, and a search for a literal takes less time than the expression.
package prefilter
