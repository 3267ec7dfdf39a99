// Package queries holds the queries of a run so that memory does not grow with their texts: a Set keeps the id of each
// query in memory, and the queries in a temporary file, from which they are read one at a time.
package queries
