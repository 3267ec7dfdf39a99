// Package schema checks JSON values against a JSON Schema: the arguments of a tool call, and messages that a
// dataset expects to be JSON. It lists all problems of a value, each with its place, in words that help a model
// to correct them.
//
// It supports the keywords of drafts 4, 6, 7, 2019-09 and 2020-12 that decide which values are valid. It
// checks formats in all drafts. It refuses a schema that refers to other files or addresses, and one with
// $dynamicRef or $recursiveRef. No schema can make a check take long: after 200,000 steps the check stops and
// reports a problem.
//
// It replaces a library that compiled all drafts of JSON Schema at each start of the program, which took a
// third of the time of `concur version`. Its tests run the official test suite.
package schema
