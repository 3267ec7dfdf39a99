// Package imported keeps the queries of a run that was imported from another program, so that concur can judge its
// answers. The queries are a dataset in the run folder.
package imported
