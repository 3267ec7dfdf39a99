// Package schema checks the arguments of a tool call against the tool's JSON Schema. It lists all problems of the
// arguments, each with its place, in words that a model can act on.
//
// It knows the keywords of drafts 4, 6, 7, 2019-09 and 2020-12, as far as they say which values are valid. Formats are
// checked, in all drafts. It refuses a schema that refers to other files or addresses, and one with $dynamicRef or
// $recursiveRef. A schema cannot make a check run long: after 200,000 steps the check stops with a problem.
//
// It replaces a library that compiled all drafts of JSON Schema at each start of the program, which took a third of the
// time of `concur version`. Its tests run the official test suite.
package schema
