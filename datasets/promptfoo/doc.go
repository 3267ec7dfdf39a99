// Package promptfoo reads tests of promptfoo as queries of concur. It reads promptfooconfig.yaml with its prompts,
// its tests and the files that they name, and tables with the column __expected.
//
// An assertion becomes a check of package checks, or the condition of a gold. assertions.tsv lists all types of
// assertions with the checks that they become. What has no counterpart is returned as a [Finding] with its place,
// its name and a way out. A query never checks something else than its test: if a test needs all of its assertions,
// because it has a threshold for their mean, and one of them has no counterpart, the test is left out.
package promptfoo
